# SPDX-License-Identifier: MIT OR Apache-2.0
"""`python -m bentpipe` is the command `bentpipe`."""

import sys

from bentpipe.cli import entry

sys.exit(entry())

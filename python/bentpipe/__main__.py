# SPDX-License-Identifier: MIT OR Apache-2.0
"""`python -m bentpipe` runs the command `bentpipe`."""

import sys

from bentpipe.cli import entry

sys.exit(entry())

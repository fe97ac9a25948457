# SPDX-License-Identifier: MIT OR Apache-2.0
"""Why a judged number differs from Linux's: one line each, which names the code on both sides.

A reason excuses only what it names. One that no number needs any more is an error of the test that runs everything.
"""

from bentpipe.validation._beside import Reason

LINUX: tuple[Reason, ...] = ()

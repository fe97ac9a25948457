# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compare the packet simulator with RFCs and papers: `bentpipe validate`, and `bentpipe validate bbr3`.

Each family of facts has a module. The modules use only Bentpipe's public interface.
"""

from bentpipe.validation._facts import RULE, TOLERANCE, Agreement, Expect, Fact, Row
from bentpipe.validation._validate import BBR3, THEORY, Suite, Validation, facts, validate

__all__ = [
    "BBR3",
    "RULE",
    "THEORY",
    "TOLERANCE",
    "Agreement",
    "Expect",
    "Fact",
    "Row",
    "Suite",
    "Validation",
    "facts",
    "validate",
]

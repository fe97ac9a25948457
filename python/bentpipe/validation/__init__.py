# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compare the packet simulator with RFCs and papers: `bentpipe validate`, and `bentpipe validate bbr3`.

One module per family of facts; they use Bentpipe's public interface only.
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

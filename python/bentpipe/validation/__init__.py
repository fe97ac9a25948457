# SPDX-License-Identifier: MIT OR Apache-2.0
"""The packet simulator against what RFCs and papers say: `bentpipe validate`.

One module per family of facts; they use Bentpipe's public interface only.
"""

from bentpipe.validation._facts import RULE, TOLERANCE, Agreement, Expect, Fact, Row
from bentpipe.validation._validate import Validation, facts, validate

__all__ = ["RULE", "TOLERANCE", "Agreement", "Expect", "Fact", "Row", "Validation", "facts", "validate"]

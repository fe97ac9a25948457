# SPDX-License-Identifier: MIT OR Apache-2.0
"""One module per paper: its scenarios, its figures, its claims with the paper's number beside ours.

These modules use Bentpipe's public interface only; they are also examples of how to use it.
"""

from bentpipe.papers._claims import Claim, Verdict
from bentpipe.papers.hybla_im import Reproduction, reproduce

__all__ = ["Claim", "Reproduction", "Verdict", "reproduce"]

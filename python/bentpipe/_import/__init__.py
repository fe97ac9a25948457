# SPDX-License-Identifier: MIT OR Apache-2.0
"""Convert measurements of other tools to path traces, which scenarios replay: a reader per format, and one writer."""

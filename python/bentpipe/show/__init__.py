# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pictures, HTML pages and the viewer. They get runs and results from their callers, and make none."""

# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pictures, HTML pages and the viewer. Callers pass runs and results; this package makes no runs."""

# SPDX-License-Identifier: MIT OR Apache-2.0
"""HTML pages, one module for each kind of result."""

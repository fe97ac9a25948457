# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pictures with matplotlib, one module for each kind of result."""

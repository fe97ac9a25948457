# SPDX-License-Identifier: MIT OR Apache-2.0
"""Evaluate a controller by the criteria of RFC 9743."""

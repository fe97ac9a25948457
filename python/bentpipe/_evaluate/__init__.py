# SPDX-License-Identifier: MIT OR Apache-2.0
"""A controller by the criteria of RFC 9743."""

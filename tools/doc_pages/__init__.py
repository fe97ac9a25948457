# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the pages of docs/ and the Python modules that are generated from the code."""

# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the pages of docs/ and the Python modules that follow from the code."""

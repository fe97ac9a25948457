# SPDX-License-Identifier: MIT OR Apache-2.0
"""Shared modules: errors, checks of arguments, files, tables, statistics."""

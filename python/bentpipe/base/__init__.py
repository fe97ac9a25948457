# SPDX-License-Identifier: MIT OR Apache-2.0
"""What every module may use: errors, checks of arguments, files, tables, statistics."""

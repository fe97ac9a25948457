# SPDX-License-Identifier: MIT OR Apache-2.0
"""A flow's path, and the satellites, as files for other tools."""

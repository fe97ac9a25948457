# SPDX-License-Identifier: MIT OR Apache-2.0
"""Export a flow's path, or satellites, to files for other tools."""

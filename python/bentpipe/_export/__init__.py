# SPDX-License-Identifier: MIT OR Apache-2.0
"""Export of a flow's path, and of satellites, to files for other tools."""

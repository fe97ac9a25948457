# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write scenarios in Python: generated classes, catalogue, choices of controllers, presets."""

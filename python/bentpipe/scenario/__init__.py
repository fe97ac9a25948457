# SPDX-License-Identifier: MIT OR Apache-2.0
"""Scenarios in Python: the generated classes, the catalogue, choices of controllers, presets."""

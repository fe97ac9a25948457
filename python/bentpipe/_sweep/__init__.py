# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sweeps: one scenario at many values of its keys."""

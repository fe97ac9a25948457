# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs: made in parallel or on a cluster, kept in folders or stores, found again by their identity."""

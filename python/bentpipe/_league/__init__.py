# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run every controller over a suite of scenarios, and every pair of controllers: `bentpipe.league`."""

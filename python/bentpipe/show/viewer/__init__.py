# SPDX-License-Identifier: MIT OR Apache-2.0
"""The viewer: runs and results as scenes, served to a browser, put into a file, drawn as a picture.

The page itself is built from `web/`; what lies between them, the scene, is written down in docs/scene.md.
"""

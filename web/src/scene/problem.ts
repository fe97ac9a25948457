// SPDX-License-Identifier: MIT OR Apache-2.0

/** An error: why a scene cannot be shown, in words for the user of the page. */
export class SceneError extends Error {
  override name = "SceneError";
}

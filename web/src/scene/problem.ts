// SPDX-License-Identifier: MIT OR Apache-2.0

/** An error whose message explains to the user of the page why a scene cannot be shown. */
export class SceneError extends Error {
  override name = "SceneError";
}

// SPDX-License-Identifier: MIT OR Apache-2.0
// Shaders for the surface of the Earth and for the dots of satellites. Everything else uses materials of three.js.

export const EARTH_VERTEX = /* glsl */ `
  varying vec2 place;
  varying vec3 up;
  varying vec3 eye;
  void main() {
    place = uv;
    up = normalize(normal);
    vec4 at = modelMatrix * vec4(position, 1.0);
    eye = normalize(cameraPosition - at.xyz);
    gl_Position = projectionMatrix * viewMatrix * at;
  }`;

// The width of the terminator is civil twilight: the Sun is between 6 degrees below and 6 degrees above the horizon
// (sine 0.1).
export const EARTH_FRAGMENT = /* glsl */ `
  uniform sampler2D land;
  uniform vec3 oceanColour;
  uniform vec3 landColour;
  uniform vec3 nightColour;
  uniform vec3 sun;
  uniform float night;
  uniform float rim;
  varying vec2 place;
  varying vec3 up;
  varying vec3 eye;
  void main() {
    vec3 colour = mix(oceanColour, landColour, texture2D(land, place).r);
    float day = smoothstep(-0.1, 0.1, dot(up, sun));
    colour = mix(colour, nightColour, night * (1.0 - day));
    float slant = 1.0 - max(dot(up, eye), 0.0);
    colour *= 1.0 - rim * slant * slant;
    gl_FragColor = vec4(colour, 1.0);
  }`;

export const DOT_VERTEX = /* glsl */ `
  attribute vec3 tint;
  uniform float size;
  uniform vec3 space;
  varying vec3 dotColour;
  void main() {
    // The far side fades, so that the near side is easier to read.
    float near = smoothstep(-0.5, 0.35, dot(normalize(position), normalize(cameraPosition)));
    dotColour = mix(space, tint, 0.25 + 0.75 * near);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    gl_PointSize = size;
  }`;

export const DOT_FRAGMENT = /* glsl */ `
  varying vec3 dotColour;
  void main() {
    vec2 from = gl_PointCoord - 0.5;
    if (dot(from, from) > 0.25) discard;
    gl_FragColor = vec4(dotColour, 1.0);
  }`;

export const LINK_VERTEX = /* glsl */ `
  varying float near;
  void main() {
    near = smoothstep(-0.5, 0.5, dot(normalize(position), normalize(cameraPosition)));
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

export const LINK_FRAGMENT = /* glsl */ `
  uniform vec3 colour;
  uniform float strength;
  varying float near;
  void main() {
    gl_FragColor = vec4(colour, strength * (0.15 + 0.85 * near));
  }`;

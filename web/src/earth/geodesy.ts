// SPDX-License-Identifier: MIT OR Apache-2.0
// The shape of the Earth (WGS84: NIMA TR8350.2, table 3.1), and the position of the Sun.

export const EQUATOR_KM = 6378.137;
export const POLE_KM = 6356.752314245;
const E2 = 1 - (POLE_KM * POLE_KM) / (EQUATOR_KM * EQUATOR_KM);
const RAD = Math.PI / 180;

export type Vector = [number, number, number];
export type Geodetic = { latitude_deg: number; longitude_deg: number; altitude_km: number };

/** Earth-fixed position of a place, in km. */
export function earthFixed(latitude_deg: number, longitude_deg: number, altitude_km: number): Vector {
  const [sine, cosine] = [Math.sin(latitude_deg * RAD), Math.cos(latitude_deg * RAD)];
  // Radius of curvature in the prime vertical.
  const n = EQUATOR_KM / Math.sqrt(1 - E2 * sine * sine);
  return [
    (n + altitude_km) * cosine * Math.cos(longitude_deg * RAD),
    (n + altitude_km) * cosine * Math.sin(longitude_deg * RAD),
    (n * (1 - E2) + altitude_km) * sine,
  ];
}

/** Latitude, longitude and altitude of a point, by Bowring's first step (1976). The error is below 1 m for low orbits. */
export function geodetic(x: number, y: number, z: number): Geodetic {
  const p = Math.hypot(x, y);
  const theta = Math.atan2(z * EQUATOR_KM, p * POLE_KM);
  const second = (EQUATOR_KM * EQUATOR_KM) / (POLE_KM * POLE_KM) - 1;
  const latitude = Math.atan2(z + second * POLE_KM * Math.sin(theta) ** 3, p - E2 * EQUATOR_KM * Math.cos(theta) ** 3);
  const n = EQUATOR_KM / Math.sqrt(1 - E2 * Math.sin(latitude) ** 2);
  // The formula p / cos(latitude) fails at the poles. This formula does not.
  const altitude = p * Math.cos(latitude) + z * Math.sin(latitude) - n * (1 - E2 * Math.sin(latitude) ** 2);
  return { latitude_deg: latitude / RAD, longitude_deg: Math.atan2(y, x) / RAD, altitude_km: altitude };
}

/**
 * The place at which the Sun is overhead at a time, by the low-precision formulas of the Astronomical Almanac. The
 * error is 0.01 degrees from 1950 to 2050.
 */
export function subsolar(utc: Date): { latitude_deg: number; longitude_deg: number } {
  const n = utc.getTime() / 86_400_000 - 10_957.5; // days since 2000-01-01 12:00
  const g = (357.528 + 0.9856003 * n) * RAD;
  const mean = 280.46 + 0.9856474 * n;
  const ecliptic = (mean + 1.915 * Math.sin(g) + 0.02 * Math.sin(2 * g)) * RAD;
  const obliquity = (23.439 - 0.0000004 * n) * RAD;
  const ascension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic)) / RAD;
  const sidereal = 280.46062 + 360.985647366 * n; // Greenwich mean sidereal time in degrees
  return {
    latitude_deg: Math.asin(Math.sin(obliquity) * Math.sin(ecliptic)) / RAD,
    longitude_deg: turned(ascension - sidereal),
  };
}

/** Reduces an angle to the range from -180 to 180 degrees. */
export function turned(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of link budgets; see `format`.

use crate::text::{Fraction, Q};
use crate::words::W;
use radio::Ladder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{
    Angle, Column, Decibels, Distance, FigureOfMerit, Frequency, Power, Pressure, RainRate, Span,
    Temperature, Vapour,
};

/// A file for `bentpipe link-budget`: a budget, and the availabilities to report.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Bentpipe link budget")]
pub struct BudgetFile {
    /// The budget.
    pub budget: Budget,
    /// Availabilities, in percent of an average year, to report in addition to clear sky. Default `[99.0, 99.9,
    /// 99.99]`.
    #[schemars(inner(range(min = 95.0, max = 99.999)))]
    pub availability: Option<Vec<f64>>,
}

/// A link budget. Power, noise and weather determine the modulation and code, and with them the data rate in DVB
/// baseband frames. If a frame cannot be decoded, all packets in the frame are lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ bandwidth = \"36 MHz\", down = { … } }"))]
pub struct Budget {
    /// Bandwidth of the carrier.
    #[schemars(extend("x-min" = "1 kHz", "x-max" = "10 GHz"))]
    pub bandwidth: Q<Frequency>,
    /// Roll-off of the filter: the symbol rate is the bandwidth divided by (1 + roll_off). Default 0.2.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub roll_off: Option<Fraction>,
    /// Modulations and codes of the modem. Default "dvb-s2x".
    pub modcods: Option<W<Ladder>>,
    /// Margin above the threshold of a modulation and code. It covers losses of a real demodulator, errors of
    /// estimation, and scintillation. Default "1 dB".
    #[schemars(extend("x-min" = "0 dB", "x-max" = "20 dB"))]
    pub margin: Option<Q<Decibels>>,
    /// Additional margin before the modem changes to a higher rate. Default "0.3 dB".
    #[schemars(extend("x-min" = "0 dB", "x-max" = "20 dB"))]
    pub hysteresis: Option<Q<Decibels>>,
    /// Time from a change of the weather to the change of modulation and code. Frames that cannot be decoded in this
    /// time are lost. Default "600 ms", and on user links of a constellation "50 ms" (an assumption).
    #[schemars(extend("x-max" = "1 min"))]
    pub reaction: Option<Q<Span>>,
    /// Hop from the satellite to a station. Required, except on an uplink.
    pub down: Option<Hop>,
    /// Hop from a station to the satellite. The satellite is transparent, and its transmit power is constant. Default:
    /// the noise of this hop does not count. On an uplink of a constellation, this is the only hop, because the
    /// satellites decode the data and forward them.
    pub up: Option<Hop>,
}

/// The hop between a station and a satellite, in one direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ frequency = \"19.7 GHz\", eirp = \"60 dBW\", g_over_t = \"17 dB/K\", elevation = \"35 deg\" }"))]
pub struct Hop {
    /// Carrier frequency. The recommendations on rain and scintillation are valid up to 55 GHz.
    #[schemars(extend("x-min" = "1 GHz", "x-max" = "55 GHz"))]
    pub frequency: Q<Frequency>,
    /// EIRP: power of the carrier multiplied by the gain of the transmitting antenna.
    #[schemars(extend("x-min" = "-100 dBW", "x-max" = "200 dBW"))]
    pub eirp: Q<Power>,
    /// G/T: gain of the receiving antenna divided by its noise temperature, in clear sky.
    #[schemars(extend("x-min" = "-100 dB/K", "x-max" = "100 dB/K"))]
    pub g_over_t: Q<FigureOfMerit>,
    /// Longitude of a geostationary satellite, east positive. Together with the station's place, it determines
    /// elevation and distance.
    #[schemars(extend("x-min" = "-180 deg", "x-max" = "180 deg"))]
    pub satellite: Option<Q<Angle>>,
    /// Latitude of the station. The keys `satellite` and `rain` need it.
    #[schemars(extend("x-min" = "-90 deg", "x-max" = "90 deg"))]
    pub latitude: Option<Q<Angle>>,
    /// Longitude of the station, east positive. The key `satellite` needs it.
    #[schemars(extend("x-min" = "-180 deg", "x-max" = "180 deg"))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["elevation"],
        "why": "`longitude` has no effect together with `elevation`",
        "fix": "remove `longitude` or `elevation`",
    }]))]
    pub longitude: Option<Q<Angle>>,
    /// Elevation of the satellite at the station, instead of `satellite`. The recommendations are valid from 5° on.
    #[schemars(extend("x-min" = "5 deg", "x-max" = "90 deg"))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["satellite"], "why": "`satellite` and the station's place already determine the elevation",
    }]))]
    pub elevation: Option<Q<Angle>>,
    /// Distance of the satellite. Default: the distance of a geostationary satellite.
    #[schemars(extend("x-min" = "100 km", "x-max" = "1000000 km"))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["satellite"],
        "why": "`satellite` and the station's place already determine the distance",
        "fix": "remove `range` or `satellite`",
    }]))]
    pub range: Option<Q<Distance>>,
    /// Height of the station above sea level. Default "0 m".
    #[schemars(extend("x-max" = "9 km"))]
    pub altitude: Option<Q<Distance>>,
    /// Losses by pointing, polarisation and feed. Default "0 dB".
    #[schemars(extend("x-min" = "0 dB", "x-max" = "100 dB"))]
    pub losses: Option<Q<Decibels>>,
    /// C/I: carrier power divided by the interference from other beams, satellites and carriers. Rain does not change
    /// it. Default: no interference.
    #[schemars(extend("x-min" = "-20 dB", "x-max" = "100 dB"))]
    pub c_over_i: Option<Q<Decibels>>,
    /// Noise temperature of a receiving station in clear sky. The noise of rain is added to it. Default: rain adds no
    /// noise.
    #[schemars(extend("x-min" = "10 K", "x-max" = "10000 K"))]
    pub noise_temperature: Option<Q<Temperature>>,
    /// Diameter of the station's antenna. Without this key, scintillation is not computed.
    #[schemars(extend("x-min" = "0.05 m", "x-max" = "100 m"))]
    pub antenna: Option<Q<Distance>>,
    /// The atmosphere at the station. Default: the standard atmosphere without clouds.
    pub sky: Option<Sky>,
    /// Rain at the station. Default: none.
    pub rain: Option<Rain>,
}

/// Weather of a station, except rain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ vapour = \"12 g/m3\", cloud = \"0.5 kg/m2\" }"))]
#[schemars(rename = "Weather")]
pub struct Sky {
    /// Air temperature. Default "288.15 K".
    #[schemars(extend("x-min" = "200 K", "x-max" = "340 K"))]
    pub temperature: Option<Q<Temperature>>,
    /// Air pressure, including the water vapour. Default "1013.25 hPa".
    #[schemars(extend("x-min" = "300 hPa", "x-max" = "1100 hPa"))]
    pub pressure: Option<Q<Pressure>>,
    /// Density of water vapour. Default "7.5 g/m3".
    #[schemars(extend("x-max" = "50 g/m3"))]
    pub vapour: Option<Q<Vapour>>,
    /// Liquid water of the clouds on a vertical path. Default "0 kg/m2".
    #[schemars(extend("x-max" = "10 kg/m2"))]
    pub cloud: Option<Q<Column>>,
    /// Wet term of the radio refractivity (ITU-R P.453), which causes scintillation. Default 50.
    #[schemars(range(min = 0.0, max = 300.0))]
    pub wet_refractivity: Option<f64>,
}

/// Rain at a station.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ rate_001 = \"28 mm/h\", height = \"3 km\" }"))]
pub struct Rain {
    /// Rain rate that is exceeded for 0.01 % of an average year (ITU-R P.837), for example "28 mm/h" in Frankfurt or
    /// "100 mm/h" in Singapore.
    #[schemars(extend("x-max" = "300 mm/h"))]
    pub rate_001: Q<RainRate>,
    /// Rain height above sea level: the 0 °C height plus 360 m (ITU-R P.839), for example "3 km" in Central Europe or
    /// "5 km" in the tropics.
    #[schemars(extend("x-max" = "10 km"))]
    pub height: Q<Distance>,
    /// Tilt of the polarisation against the horizontal: "0 deg" for horizontal, "90 deg" for vertical, "45 deg" for
    /// circular. Default "45 deg".
    #[schemars(extend("x-min" = "0 deg", "x-max" = "90 deg"))]
    pub tilt: Option<Q<Angle>>,
    /// Fraction of the year in which it rains on the path (ITU-R P.837, P.618). Only runs use this key. Default 0.05.
    #[schemars(range(min = 0.001, max = 0.5))]
    pub probability: Option<Fraction>,
    /// Attenuation at the start of a run. Default: drawn from the distribution over the year.
    #[schemars(extend("x-min" = "0.001 dB", "x-max" = "100 dB"))]
    pub start: Option<Q<Decibels>>,
    /// Name of the rain cell. Hops with the same cell are in the same rain. Default: the hop has its own cell. Each of
    /// the branches that `count` creates has one cell for both directions at its site.
    pub cell: Option<String>,
}

/// Rain at one site or gateway. `rate_001` and `height` are required, unless a budget of one of the site's links has
/// rain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ rate_001 = \"100 mm/h\", height = \"5 km\" }"))]
pub struct StationRain {
    /// Rain rate that is exceeded for 0.01 % of an average year (ITU-R P.837).
    #[schemars(extend("x-max" = "300 mm/h"))]
    pub rate_001: Option<Q<RainRate>>,
    /// Rain height above sea level (ITU-R P.839).
    #[schemars(extend("x-max" = "10 km"))]
    pub height: Option<Q<Distance>>,
    /// Fraction of the year in which it rains on the path. Default 0.05.
    #[schemars(range(min = 0.001, max = 0.5))]
    pub probability: Option<Fraction>,
    /// Name of the rain cell. Places with the same cell are in the same rain. Default: the cell of the budget, or a
    /// separate cell for this place.
    pub cell: Option<String>,
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites whose elements are known, propagated by SGP4.
//!
//! WGS72 constants and the AFSPC sidereal time, in the improved mode: what the official verification vectors
//! (AIAA 2006-6753) were made with. SGP4's frame (TEME) is turned to Earth-fixed by Greenwich mean sidereal time of
//! 1982; polar motion (below 15 m) and UT1-UTC (below 0.9 s, that is 420 m at the equator for satellite and site
//! alike) are left out.

use crate::earth::{ROTATION_RAD_S, norm, turn, turning};
use crate::elements::name;
use crate::{Catalogue, Note, OrbitError, Refusal, Walker};
use sgp4::chrono::{DateTime, Duration, NaiveDateTime, TimeDelta};
use sgp4::{Classification, Constants, Elements, MinutesSinceEpoch, Orbit, Prediction, WGS72};
use std::f64::consts::PI;
use units::{Span, Time};

/// Beyond so many days from their epoch satellites are noted: the error to be expected reaches 10 km or 33 us of
/// light, more than a hop of a low orbit changes by in a second (21 us).
const FAR_DAYS: f64 = 3.0;

/// Error of position in low orbit at the epoch, km, and its growth per day, least and most. "An error ~1 km at epoch
/// and grows at ~1-3 km per day" (Simplified perturbations models, Wikipedia, after AIAA 2006-6753); "1-3 km/day"
/// (Rhodes, sgp4 on PyPI); "on the order of 1 km within a few days" (Kelso, AAS 07-127). Manoeuvres come on top.
const ERROR_KM: f64 = 1.0;
const ERROR_KM_PER_DAY: (f64, f64) = (1.0, 3.0);

/// Satellites with their elements, and the moment at which the run starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Fleet {
    satellites: Vec<Member>,
    start: NaiveDateTime,
}

/// How a fleet is made from a catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FleetOptions<'a> {
    /// Start of the run (UTC, RFC 3339). Without it: the newest epoch of the catalogue, so that every set is carried
    /// forward, as it was fitted to be. (The median epoch would bring the mean age of the Starlink catalogue shipped
    /// from ten hours to four, and carry half of the sets backward; either is good to a kilometre or two.)
    pub start: Option<&'a str>,
    /// The run begins this long after that start.
    pub offset: Span,
    /// Leaves out sets whose epoch is more than this before or after the start.
    pub max_age: Option<Span>,
    /// What becomes of a set that SGP4 refuses at the start.
    pub on_bad: OnBad,
}

/// What becomes of a set that SGP4 refuses at the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBad {
    /// It refuses the fleet.
    #[default]
    Refuse,
    /// It is left out, with a note.
    Skip,
}

#[derive(Clone, Debug, PartialEq)]
struct Member {
    name: String,
    set: Elements,
    constants: Constants,
    /// Start of the run minus epoch of the elements, minutes.
    minutes_at_start: f64,
}

impl Fleet {
    /// From the text of a catalogue in any of the formats of [`Catalogue::read`], with what a user should know of it.
    ///
    /// # Errors
    /// Those of [`Catalogue::read`]; [`OrbitError::StartSyntax`]; [`OrbitError::Propagation`] if SGP4 refuses a set
    /// at the start and none may be left out; [`OrbitError::FleetEmpty`].
    pub fn from_catalogue(text: &str, options: FleetOptions<'_>) -> Result<(Self, Vec<Note>), OrbitError> {
        let Catalogue { sets, mut notes } = Catalogue::read(text)?;
        let start = match options.start {
            None => sets.iter().map(|set| set.datetime).max().unwrap_or_default(),
            Some(text) => moment(text)?,
        } + Duration::nanoseconds(options.offset.nanos().cast_signed());
        let max_age_days = options.max_age.map_or(f64::INFINITY, |age| age.secs_f64() / 86_400.0);
        let (mut satellites, mut old, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for set in sets {
            let name = name(&set);
            if minutes(start - set.datetime).abs() / 1440.0 > max_age_days {
                old.push(name);
                continue;
            }
            match Member::new(name.clone(), set, start) {
                Ok(member) => satellites.push(member),
                Err(why) if options.on_bad == OnBad::Skip => refused.push((name, why)),
                Err(why) => return Err(OrbitError::Propagation { satellite: name, at: Time::ZERO, why }),
            }
        }
        if !old.is_empty() {
            notes.push(Note::TooOld { satellites: old, max_age_days });
        }
        if !refused.is_empty() {
            notes.push(Note::Refused { satellites: refused });
        }
        notes.extend(far(&satellites));
        let fleet = Self { satellites, start };
        if fleet.is_empty() {
            let why: Vec<String> = notes.iter().map(Note::to_string).collect();
            return Err(OrbitError::FleetEmpty { start: fleet.start(), why: why.join("; ") });
        }
        Ok((fleet, notes))
    }

    /// The newest epoch of a catalogue, as RFC 3339: where its run starts if nothing else is said.
    ///
    /// # Errors
    /// Those of [`Catalogue::read`].
    pub fn newest_epoch(text: &str) -> Result<String, OrbitError> {
        let Catalogue { sets, .. } = Catalogue::read(text)?;
        Ok(utc(sets.iter().map(|set| set.datetime).max().unwrap_or_default()))
    }

    /// [`Fleet::from_catalogue`] of sets of any age, none of which may be refused; its notes are dropped.
    ///
    /// # Errors
    /// As [`Fleet::from_catalogue`].
    pub fn from_tle(text: &str, start: Option<&str>) -> Result<Self, OrbitError> {
        let options = FleetOptions { start, ..FleetOptions::default() };
        Self::from_catalogue(text, options).map(|(fleet, _)| fleet)
    }

    /// A shell as two-line elements would carry it, in the way of Hypatia (`satgenpy`, `generate_tles_from_scratch`):
    /// the nodes, phases and inclination of `walker` with the mean motion (revolutions per day) and the eccentricity
    /// given, perigee in the node, no drag; angles to four decimals, eccentricity to seven, mean motion to eight. The
    /// altitude of `walker` is not used. The run starts at `epoch` (UTC, RFC 3339); satellites are named
    /// "plane/slot".
    ///
    /// # Errors
    /// [`OrbitError::StartSyntax`]; [`OrbitError::Propagation`] if SGP4 refuses the orbit.
    pub fn from_walker(
        walker: &Walker,
        mean_motion_rev_day: f64,
        eccentricity: f64,
        epoch: &str,
    ) -> Result<Self, OrbitError> {
        let start = moment(epoch)?;
        let round = |x: f64, decimals: i32| (x * 10_f64.powi(decimals)).round() / 10_f64.powi(decimals);
        let angle = |deg: f64| round(deg.rem_euclid(360.0), 4);
        let satellite = |index: usize| {
            let (plane, slot) = (index as u32 / walker.per_plane, index as u32 % walker.per_plane);
            let name = walker.name(index);
            let set = Elements {
                object_name: Some(name.clone()),
                international_designator: None,
                norad_id: index as u64 + 1,
                classification: Classification::Unclassified,
                datetime: start,
                mean_motion_dot: 0.0,
                mean_motion_ddot: 0.0,
                drag_term: 0.0,
                element_set_number: 0,
                inclination: angle(walker.inclination.deg()),
                right_ascension: angle(walker.ascending_node(plane).deg()),
                eccentricity: round(eccentricity, 7),
                argument_of_perigee: 0.0,
                mean_anomaly: angle(walker.argument_of_latitude(plane, slot).deg()),
                mean_motion: round(mean_motion_rev_day, 8),
                revolution_number: 0,
                ephemeris_type: 0,
            };
            Member::new(name.clone(), set, start).map_err(|why| OrbitError::Propagation {
                satellite: name,
                at: Time::ZERO,
                why,
            })
        };
        let satellites = (0..walker.len()).map(satellite).collect::<Result<_, _>>()?;
        Ok(Self { satellites, start })
    }

    /// How many satellites.
    pub fn len(&self) -> usize {
        self.satellites.len()
    }

    /// True of a fleet without satellites.
    pub fn is_empty(&self) -> bool {
        self.satellites.is_empty()
    }

    /// Name of a satellite: as in the file, or its catalogue number.
    pub fn name(&self, index: usize) -> &str {
        &self.satellites[index].name
    }

    /// Catalogue number of a satellite.
    pub fn norad_id(&self, index: usize) -> u64 {
        self.satellites[index].set.norad_id
    }

    /// Epoch of a satellite's elements, UTC.
    pub fn epoch(&self, index: usize) -> String {
        utc(self.satellites[index].set.datetime)
    }

    /// Start of the run minus epoch of a satellite's elements, days.
    pub fn age_days(&self, index: usize) -> f64 {
        self.satellites[index].minutes_at_start / 1440.0
    }

    /// All that a satellite's elements say.
    pub fn elements(&self, index: usize) -> &Elements {
        &self.satellites[index].set
    }

    /// Start of the run, UTC.
    pub fn start(&self) -> String {
        utc(self.start)
    }

    /// How long before the start of the run a multiple of `period` since 1970-01-01T00:00:00Z was passed last, leap
    /// seconds not counted (Unix time): where the start lies in periods that follow the clock.
    ///
    /// # Panics
    /// If `period` is zero.
    pub fn past(&self, period: Span) -> Span {
        let start = self.start.and_utc();
        let nanos =
            i128::from(start.timestamp()) * 1_000_000_000 + i128::from(start.timestamp_subsec_nanos());
        Span::from_nanos(nanos.rem_euclid(i128::from(period.nanos())) as u64)
    }

    /// Greenwich mean sidereal time at `at`, radians.
    pub(crate) fn sidereal_rad(&self, at: Time) -> f64 {
        let moment = self.start + Duration::nanoseconds(at.nanos().cast_signed());
        sgp4::iau_epoch_to_sidereal_time(sgp4::julian_years_since_j2000(&moment))
    }

    /// Earth-fixed position of satellite `index` when the sidereal time is `sidereal_rad`, metres.
    pub(crate) fn position(&self, index: usize, at: Time, sidereal_rad: f64) -> Result<[f64; 3], OrbitError> {
        Ok(turn(self.inertial_km(index, at)?.position, sidereal_rad).map(|km| km * 1e3))
    }

    /// Earth-fixed position and velocity, metres and m/s. SGP4's own velocity is up to centimetres per second off the
    /// derivative of its position.
    pub(crate) fn state(&self, index: usize, at: Time) -> Result<([f64; 3], [f64; 3]), OrbitError> {
        let sidereal_rad = self.sidereal_rad(at);
        let inertial = self.inertial_km(index, at)?;
        let [position, velocity] =
            [inertial.position, inertial.velocity].map(|v| turn(v, sidereal_rad).map(|km| km * 1e3));
        Ok((position, turning(position, velocity, ROTATION_RAD_S)))
    }

    /// Position and velocity in SGP4's own frame (TEME), km and km/s.
    pub(crate) fn inertial_km(&self, index: usize, at: Time) -> Result<Prediction, OrbitError> {
        let member = &self.satellites[index];
        member.inertial_km(at).map_err(|why| OrbitError::Propagation {
            satellite: member.name.clone(),
            at,
            why,
        })
    }
}

impl Member {
    /// Refused if it cannot fly at the start of the run.
    fn new(name: String, set: Elements, start: NaiveDateTime) -> Result<Self, Refusal> {
        let constants = constants(&set)?;
        let minutes_at_start = minutes(start - set.datetime);
        let member = Self { name, set, constants, minutes_at_start };
        member.inertial_km(Time::ZERO)?;
        Ok(member)
    }

    fn inertial_km(&self, at: Time) -> Result<Prediction, Refusal> {
        let minutes = self.minutes_at_start + at.secs_f64() / 60.0;
        let state = self.constants.propagate(MinutesSinceEpoch(minutes))?;
        // Error 6 of the reference code, which the crate leaves to its caller.
        let radius_km = norm(state.position);
        if radius_km < WGS72.ae { Err(Refusal::Decayed { radius_km }) } else { Ok(state) }
    }
}

/// SGP4's constants of an element set: WGS72 and the AFSPC sidereal time (the crate's `from_elements` would take
/// WGS84, 39 m off at epoch and more later, for elements that were fitted with WGS72).
///
/// # Errors
/// SGP4's reason, if the elements are outside its domain.
pub fn constants(set: &Elements) -> Result<Constants, Refusal> {
    let orbit = Orbit::from_kozai_elements(
        &WGS72,
        set.inclination.to_radians(),
        set.right_ascension.to_radians(),
        set.eccentricity,
        set.argument_of_perigee.to_radians(),
        set.mean_anomaly.to_radians(),
        // Revolutions per day to radians per minute: 2 pi / 1440.
        set.mean_motion * (PI / 720.0),
    )
    .map_err(sgp4::ElementsError::from)?;
    let constants = Constants::new(
        WGS72,
        sgp4::afspc_epoch_to_sidereal_time,
        set.epoch_afspc_compatibility_mode(),
        set.drag_term,
        orbit,
    )
    .map_err(sgp4::ElementsError::from)?;
    Ok(constants)
}

fn far(satellites: &[Member]) -> Option<Note> {
    let age = |member: &Member| member.minutes_at_start.abs() / 1440.0;
    let mut far: Vec<&Member> = satellites.iter().filter(|member| age(member) > FAR_DAYS).collect();
    far.sort_by(|a, b| age(b).total_cmp(&age(a)));
    let days = age(far.first()?);
    let error_km = (ERROR_KM + ERROR_KM_PER_DAY.0 * days, ERROR_KM + ERROR_KM_PER_DAY.1 * days);
    Some(Note::FarFromEpoch {
        satellites: far.iter().map(|member| member.name.clone()).collect(),
        days,
        error_km,
    })
}

fn moment(text: &str) -> Result<NaiveDateTime, OrbitError> {
    DateTime::parse_from_rfc3339(text)
        .map(|moment| moment.naive_utc())
        .map_err(|_| OrbitError::StartSyntax { text: text.to_owned() })
}

fn utc(moment: NaiveDateTime) -> String {
    moment.format("%Y-%m-%dT%H:%M:%S%.fZ").to_string()
}

fn minutes(span: TimeDelta) -> f64 {
    span.num_seconds() as f64 / 60.0 + f64::from(span.subsec_nanos()) / 60e9
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! A constellation without a run.
#![expect(clippy::needless_pass_by_value, reason = "what comes from Python is handed over")]

use crate::answers::{answer, json};
use crate::ask::Visible;
use crate::error::Failure;
use crate::runs::away;
use crate::table::{Table, counts, float_lists, floats, index_lists, indices, table, texts};
use arrow_array::ArrayRef;
use pyo3::prelude::*;
use scenario::Named;
use std::num::NonZeroUsize;
use std::sync::Arc;
use topology::survey::RouteChange;
use topology::trace::{self, PathSample};
use topology::{
    ConstellationSpec, Facts, GroundKind, IslPattern, ShellFacts, Site, facts, passes, shortest, survey,
    switches, why,
};
use units::{SPEED_OF_LIGHT_M_S, Span, Time};

/// Number of entries of routes in each table that is passed to Python.
const BATCH: usize = 1 << 18;

/// A constellation, given by name, file or document, with changes.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Sky {
    named: Arc<Named>,
    facts: Facts,
}

impl Sky {
    fn spec(&self) -> &ConstellationSpec {
        &self.named.spec
    }

    fn sites(&self, names: &[String]) -> Result<Vec<Site>, Failure> {
        Ok(names.iter().map(|name| self.named.site(name)).collect::<Result<_, _>>()?)
    }
}

#[pymethods]
impl Sky {
    #[new]
    #[pyo3(signature = (name, changes, network = false))]
    fn new(py: Python<'_>, name: String, changes: String, network: bool) -> PyResult<Self> {
        let make = move || -> Result<_, Failure> {
            let named = if network {
                scenario::constellation_of_network(&name, &changes)?
            } else {
                scenario::constellation(&name, &changes)?
            };
            let facts = facts::facts(&named.spec)?;
            Ok(Self { named: Arc::new(named), facts })
        };
        away(py, make)
    }

    /// Properties of the constellation, as JSON.
    fn describe(&self) -> String {
        json(&SkyFacts::new(self.spec(), &self.facts))
    }

    /// Notes for the user about the satellites, as they are at the end of this time.
    fn notes_at_end(&self, py: Python<'_>, length: &str) -> PyResult<Vec<String>> {
        let notes = || -> Result<_, Failure> { Ok(facts::notes_at_end(self.spec(), length.parse()?)?) };
        Ok(py.detach(notes)?)
    }

    /// Nodes and links at a time.
    fn look(&self, py: Python<'_>, at: &str, sites: Vec<String>) -> PyResult<(Table, Table)> {
        let look = || -> Result<_, Failure> {
            Ok(trace::snapshot(self.spec(), &self.sites(&sites)?, at.parse::<Time>()?)?)
        };
        let snapshot = py.detach(look)?;
        let satellites = snapshot.satellites.into_iter().map(|satellite| Row {
            kind: "satellite",
            name: satellite.name,
            shell: Some(u32::from(satellite.shell)),
            degrees: [satellite.place.latitude.deg(), satellite.place.longitude.deg()],
            altitude_km: satellite.place.altitude.km(),
            position_m: satellite.position_m,
        });
        let ground = snapshot.ground.into_iter().map(|ground| Row {
            kind: match ground.kind {
                GroundKind::Gateway => "gateway",
                GroundKind::Pop => "pop",
                GroundKind::Site => "site",
            },
            name: ground.site.name,
            shell: None,
            degrees: [ground.site.latitude.deg(), ground.site.longitude.deg()],
            altitude_km: ground.site.altitude.km(),
            position_m: ground.position_m,
        });
        let rows: Vec<(u32, Row)> = (0..).zip(satellites.chain(ground)).collect();
        let nodes = table(vec![
            ("node", counts(&rows, |row| row.0)),
            ("kind", texts(&rows, |row| row.1.kind.to_owned())),
            ("name", texts(&rows, |row| row.1.name.clone())),
            ("shell", indices(&rows, |row| row.1.shell)),
            ("latitude_deg", floats(&rows, |row| Some(row.1.degrees[0]))),
            ("longitude_deg", floats(&rows, |row| Some(row.1.degrees[1]))),
            ("altitude_km", floats(&rows, |row| Some(row.1.altitude_km))),
            ("x_km", floats(&rows, |row| Some(row.1.position_m[0] / 1e3))),
            ("y_km", floats(&rows, |row| Some(row.1.position_m[1] / 1e3))),
            ("z_km", floats(&rows, |row| Some(row.1.position_m[2] / 1e3))),
        ]);
        let mut edges = snapshot.isls;
        edges.extend(snapshot.ground_links);
        let links = table(vec![
            ("a", counts(&edges, |edge| edge.0)),
            ("b", counts(&edges, |edge| edge.1)),
            ("length_km", floats(&edges, |edge| Some(edge.2 / 1e3))),
            ("delay_ms", floats(&edges, |edge| Some(edge.2 / SPEED_OF_LIGHT_M_S * 1e3))),
        ]);
        Ok((nodes, links))
    }

    /// The shortest paths of pairs of places over time.
    fn paths(
        &self,
        py: Python<'_>,
        pairs: Vec<(String, String)>,
        duration: String,
        step: String,
    ) -> PyResult<Table> {
        let (named, asked) = (self.named.clone(), pairs.clone());
        let look = move || -> Result<_, Failure> {
            let pairs = asked;
            let (mut sites, mut ends): (Vec<Site>, Vec<(u16, u16)>) = (Vec::new(), Vec::new());
            for (from, to) in &pairs {
                let mut index = |name: &str| -> Result<u16, Failure> {
                    let site = named.site(name)?;
                    let known = sites.iter().position(|known| known.name == site.name);
                    if known.is_none() {
                        sites.push(site);
                    }
                    Ok(known.unwrap_or(sites.len() - 1) as u16)
                };
                ends.push((index(from)?, index(to)?));
            }
            let mut samples: Vec<Vec<PathSample>> = vec![Vec::new(); pairs.len()];
            let each = |pair: usize, sample| samples[pair].push(sample);
            trace::paths_over_time(&named.spec, &sites, &ends, duration.parse()?, step.parse()?, each)?;
            Ok(samples)
        };
        let rows: Vec<(usize, PathSample)> = away(py, look)?
            .into_iter()
            .enumerate()
            .flat_map(|(pair, samples)| samples.into_iter().map(move |sample| (pair, sample)))
            .collect();
        let mut columns = vec![
            ("from", texts(&rows, |row| pairs[row.0].0.clone())),
            ("to", texts(&rows, |row| pairs[row.0].1.clone())),
        ];
        columns.extend(path_columns(&rows, |row| &row.1));
        Ok(table(columns))
    }

    /// Raises an exception if no place has this name.
    fn require_place(&self, name: &str) -> PyResult<()> {
        self.named.site(name).map_err(Failure::from)?;
        Ok(())
    }

    /// Raises an exception with the reason if two places are never connected.
    fn require_path(
        &self,
        py: Python<'_>,
        origin: String,
        destination: String,
        duration: String,
        step: String,
    ) -> PyResult<()> {
        let named = self.named.clone();
        let look = move || -> Result<_, Failure> {
            let sites = [named.site(&origin)?, named.site(&destination)?];
            match why::unconnected(&named.spec, &sites, 0, 1, duration.parse()?, step.parse()?)? {
                Some(reason) => Err(reason.into()),
                None => Ok(()),
            }
        };
        away(py, look)
    }

    /// The times at which the path between two places changes, to a millisecond.
    fn switches(
        &self,
        py: Python<'_>,
        origin: String,
        destination: String,
        duration: String,
        step: String,
    ) -> PyResult<Table> {
        let named = self.named.clone();
        let look = move || -> Result<_, Failure> {
            let (from, to) = (named.site(&origin)?, named.site(&destination)?);
            Ok(switches::switches(&named.spec, &from, &to, duration.parse()?, step.parse()?)?)
        };
        let rows = away(py, look)?;
        let mut columns = path_columns(&rows, |row| &row.after);
        columns.push(("rtt_before_ms", floats(&rows, |row| row.before.rtt().map(Span::millis_f64))));
        Ok(table(columns))
    }

    /// The shortest paths between two places at a time.
    fn shortest(
        &self,
        py: Python<'_>,
        origin: &str,
        destination: &str,
        at: &str,
        count: usize,
    ) -> PyResult<Table> {
        let look = || -> Result<_, Failure> {
            let (from, to) = (self.named.site(origin)?, self.named.site(destination)?);
            Ok(shortest::shortest(self.spec(), &from, &to, at.parse()?, count)?)
        };
        let rows = py.detach(look)?;
        Ok(table(path_columns(&rows, |row| row)))
    }

    /// Times at which satellites rise and set over a place.
    fn passes(&self, py: Python<'_>, site: String, duration: String) -> PyResult<Table> {
        let named = self.named.clone();
        let look = move || -> Result<_, Failure> {
            Ok(passes::passes(&named.spec, &named.site(&site)?, duration.parse()?)?)
        };
        let rows = away(py, look)?;
        Ok(table(vec![
            ("satellite", counts(&rows, |pass| pass.satellite)),
            ("name", texts(&rows, |pass| pass.name.clone())),
            ("rise_s", floats(&rows, |pass| pass.rise.map(Time::secs_f64))),
            ("set_s", floats(&rows, |pass| pass.set.map(Time::secs_f64))),
            ("max_elevation_deg", floats(&rows, |pass| Some(pass.highest.deg()))),
            ("culmination_s", floats(&rows, |pass| Some(pass.culmination.secs_f64()))),
        ]))
    }

    /// Passes the routes from every node to the sites to Python, in several tables. The first tables contain all routes
    /// at time zero. The other tables contain the changes.
    fn routes(
        &self,
        py: Python<'_>,
        sites: Vec<String>,
        duration: &str,
        step: &str,
        threads: NonZeroUsize,
        each: Py<PyAny>,
    ) -> PyResult<()> {
        let places = self.sites(&sites)?;
        let (duration, step) = (parsed::<Span>(duration)?, parsed::<Span>(step)?);
        let mut rows: Vec<(f64, RouteChange)> = Vec::new();
        let hand_over = |rows: &mut Vec<(f64, RouteChange)>| {
            let batch = table(vec![
                ("time_s", floats(rows, |row| Some(row.0))),
                ("node", counts(rows, |row| row.1.node)),
                ("site", counts(rows, |row| u32::from(row.1.site))),
                ("next", indices(rows, |row| row.1.next)),
            ]);
            rows.clear();
            Python::attach(|py| each.call1(py, (batch,)).map(drop))
        };
        py.detach(|| {
            let result: Result<_, Stop> =
                survey::routes(self.spec(), &places, duration, step, threads, |at, changes| {
                    rows.extend(changes.iter().map(|&change| (at.secs_f64(), change)));
                    if rows.len() >= BATCH {
                        hand_over(&mut rows).map_err(Stop::Python)?;
                    }
                    Python::attach(interrupted).map_err(Stop::Python)
                });
            match result {
                Ok(_) => hand_over(&mut rows),
                Err(Stop::Python(error)) => Err(error),
                Err(Stop::Sky(failure)) => Err(failure.into()),
            }
        })
    }
}

/// Raises Python's exception for Ctrl-C.
fn interrupted(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// The reason why a survey ended early.
enum Stop {
    Python(PyErr),
    Sky(Failure),
}

impl From<topology::TopologyError> for Stop {
    fn from(error: topology::TopologyError) -> Self {
        Self::Sky(error.into())
    }
}

fn parsed<T: std::str::FromStr<Err = units::UnitError>>(text: &str) -> Result<T, Failure> {
    Ok(text.parse()?)
}

/// A node of a constellation.
struct Row {
    kind: &'static str,
    name: String,
    shell: Option<u32>,
    degrees: [f64; 2],
    altitude_km: f64,
    position_m: [f64; 3],
}

fn path_columns<T>(rows: &[T], sample: impl Fn(&T) -> &PathSample) -> Vec<(&'static str, ArrayRef)> {
    let known = |row: &T, value: &dyn Fn(&PathSample) -> f64| {
        let sample = sample(row);
        sample.one_way().map(|_| value(sample))
    };
    vec![
        ("time_s", floats(rows, |row| Some(sample(row).at.secs_f64()))),
        ("links", counts(rows, |row| sample(row).links() as u32)),
        ("one_way_delay_ms", floats(rows, |row| sample(row).one_way().map(Span::millis_f64))),
        ("propagation_rtt_ms", floats(rows, |row| sample(row).rtt().map(Span::millis_f64))),
        ("rtt_rate_us_s", floats(rows, |row| known(row, &|path| path.rtt_rate() * 1e6))),
        ("uplink_ms", floats(rows, |row| known(row, &|path| path.uplink.millis_f64()))),
        ("isl_ms", floats(rows, |row| known(row, &|path| path.isl.millis_f64()))),
        ("downlink_ms", floats(rows, |row| known(row, &|path| path.downlink.millis_f64()))),
        ("via", texts(rows, |row| sample(row).hops.join(" > "))),
        ("nodes", index_lists(rows, |row| sample(row).nodes.clone())),
        (
            "hop_km",
            float_lists(rows, |row| sample(row).legs.iter().map(|leg| leg.metres / 1e3).collect::<Vec<_>>()),
        ),
        (
            "hop_doppler_ppm",
            float_lists(rows, |row| sample(row).legs.iter().map(trace::Leg::doppler_ppm).collect::<Vec<_>>()),
        ),
    ]
}

answer! {
    /// Properties of a constellation.
    SkyFacts(spec: &ConstellationSpec, facts: &Facts) {
        name: String = spec.name.clone(),
        satellites: u32 = facts.satellites,
        shells: Vec<Shell> = facts.shells.iter().map(Shell::new).collect(),
        /// For a catalogue of element sets, date of the start in UTC; otherwise `null`.
        start: Option<String> = facts.start.clone(),
        notes: Vec<String> = facts.notes.clone(),
        links: String = links(spec),
        gateways: usize = spec.gateways.len(),
        pops: usize = spec.pops.len(),
        route_step_s: f64 = spec.route_step.secs_f64(),
        #[serde(flatten)]
        visible: Visible = Visible::new(spec.visibility),
    }
}

answer! {
    /// A shell of a constellation, with extreme values as seen from a site.
    Shell(shell: &ShellFacts) {
        name: String = shell.name.clone(),
        satellites: u32 = shell.satellites,
        planes: u32 = shell.planes,
        altitude_km: f64 = shell.altitude.km(),
        inclination_deg: f64 = shell.inclination.deg(),
        period_s: f64 = shell.period.secs_f64(),
        slant_range_km: f64 = shell.slant_range.km(),
        range_rate_km_s: f64 = shell.range_rate_m_s / 1e3,
        doppler_ppm: f64 = shell.range_rate_m_s / SPEED_OF_LIGHT_M_S * 1e6,
        /// Time for which a satellite that passes through the zenith is visible; `null` if it is always visible.
        pass_s: Option<f64> = shell.pass.map(Span::secs_f64),
    }
}

/// Describes in words which satellites are linked.
fn links(spec: &ConstellationSpec) -> String {
    let Some(isl) = &spec.isl else { return "none".to_owned() };
    let mut words = vec![match &isl.pattern {
        IslPattern::Nearest { terminals } => format!("the nearest, at most {terminals} for each satellite"),
        IslPattern::List(pairs) => format!("a list of {}", pairs.len()),
        IslPattern::Grid => {
            let between = match isl.shift {
                Some(shift) => format!("slot j to slot j{shift:+} of the next plane"),
                None => "the nearest on average of each neighbouring plane".to_owned(),
            };
            match (isl.intra_plane, isl.inter_plane) {
                (true, true) => format!("grid: neighbours in the plane, and {between}"),
                (true, false) => "grid: neighbours in the plane".to_owned(),
                (false, true) => format!("grid: {between}"),
                (false, false) => "none".to_owned(),
            }
        }
    }];
    if isl.inter_shell {
        words.push("the nearest free satellite of another shell".to_owned());
    }
    if let Some(limit) = isl.latitude_limit {
        words.push(format!("links between planes are off above {limit} of latitude"));
    }
    if isl.cross_seam {
        words.push("across the seam".to_owned());
    }
    if let Some(range) = isl.max_range {
        words.push(format!("no longer than {range}"));
    }
    words.join("; ")
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets at both ends of links, in one file with an interface for each end.
//!
//! A packet appears at the sending end when its transmission starts. This is after the queue, where Linux passes a
//! packet to the device and to captures. It appears at the receiving end when its last bit arrives. A packet that a
//! queue drops does not appear. A packet that is lost on the link appears only at the sending end.
//!
//! The start of a transmission is planned in advance, and may still change. Therefore, packets wait in [`Links`],
//! ordered by these times. They are written when the start has passed.

use super::on_links::OnLinks;
use crate::SimError;
use plan::Plan;
use record::CaptureFile;
use record::pcapng::{Captured, Interface, Pcapng, Way};
use scenario::link_matches;
use std::collections::BTreeMap;
use units::Time;

/// Start of a transmission, and the position in the order of reports.
type Key = (Time, u64);

/// The file, the captured links, and the waiting packets.
#[derive(Debug)]
pub(super) struct Links {
    file: Pcapng<CaptureFile>,
    snap: Option<u32>,
    /// Largest number of bytes that are kept of a packet.
    most: u32,
    /// Link names in the scenario, and whether a link with each name exists.
    wanted: Vec<(String, bool)>,
    /// The captured links, by link number.
    points: Vec<Option<Point>>,
    /// Handle and link of each packet whose transmission will start.
    waiting: BTreeMap<Key, (u32, u32)>,
    /// The keys in `waiting`, by packet handle.
    places: Vec<Option<Key>>,
    events: u64,
}

/// A captured link.
#[derive(Debug)]
struct Point {
    name: String,
    /// Interface numbers of the sending end and the receiving end; `None` until a packet has appeared there.
    ends: [Option<u32>; 2],
}

impl Links {
    pub(super) fn new(file: Pcapng<CaptureFile>, wanted: &[String], snap: Option<u32>, most: u32) -> Self {
        Self {
            file,
            snap,
            most: snap.unwrap_or(most),
            wanted: wanted.iter().map(|name| (name.clone(), false)).collect(),
            points: Vec::new(),
            waiting: BTreeMap::new(),
            places: Vec::new(),
            events: 0,
        }
    }

    /// Writes TLS secrets for the packets that follow.
    pub(super) fn secrets(&mut self, lines: &str) {
        // The file keeps the error, and the run ends.
        let _ = self.file.secrets(lines);
    }

    /// Adds a link that exists from now on.
    pub(super) fn laid(&mut self, link: u32, name: &str) {
        let mut is_wanted = false;
        for (_, met) in self.wanted.iter_mut().filter(|(pattern, _)| link_matches(pattern, name)) {
            (*met, is_wanted) = (true, true);
        }
        let at = link as usize;
        if self.points.len() <= at {
            self.points.resize_with(at + 1, || None);
        }
        self.points[at] = is_wanted.then(|| Point { name: name.to_owned(), ends: [None; 2] });
    }

    /// Returns an error for the first requested name that no link of the network has now or can have later.
    pub(super) fn check(&self, plan: &Plan) -> Result<(), SimError> {
        let nodes = || plan.network.nodes.iter().map(|node| node.name.to_lowercase());
        let may_come = |name: &str| {
            let ends = name.trim().to_lowercase();
            plan.is_constellation()
                && ends.split_once(" > ").map_or(ends.contains('*'), |(from, to)| {
                    [from, to].iter().all(|end| end.contains('*') || nodes().any(|node| node == *end))
                })
        };
        match self.wanted.iter().find(|(name, met)| !met && !may_come(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let count = plan.network.links.len() + plan.access_links.len();
                let known = (0..count).map(|number| plan.link_name(number)).collect();
                Err(SimError::LinkUnknown { link: name.clone(), known })
            }
        }
    }

    /// Writes the transmissions that started before `now`, to which time has advanced.
    pub(super) fn until(&mut self, now: Time, flying: &OnLinks) {
        while let Some(first) = self.waiting.first_entry().filter(|first| first.key().0 < now) {
            let ((at, _), (handle, link)) = first.remove_entry();
            self.places[handle as usize] = None;
            self.show(at, link, Way::Out, handle, flying);
        }
    }

    /// Records that the transmission of a packet starts at `at`, as far as known.
    pub(super) fn begins(&mut self, link: u32, handle: u32, at: Time) {
        self.taken_back(handle);
        if self.points.get(link as usize).is_none_or(Option::is_none) {
            return;
        }
        let (place, key) = (handle as usize, (at, self.events));
        self.events += 1;
        if self.places.len() <= place {
            self.places.resize(place + 1, None);
        }
        self.places[place] = Some(key);
        self.waiting.insert(key, (handle, link));
    }

    /// Cancels the planned start of a transmission, because the packet arrives at a link or its start changes.
    pub(super) fn taken_back(&mut self, handle: u32) -> Option<(Time, u32)> {
        let key = self.places.get_mut(handle as usize)?.take()?;
        self.waiting.remove(&key).map(|(_, link)| (key.0, link))
    }

    /// Records that a packet leaves a link. The packet appears at the sending end if its transmission has started.
    pub(super) fn ends(&mut self, now: Time, handle: u32, flying: &OnLinks) {
        if let Some((at, link)) = self.taken_back(handle).filter(|(at, _)| *at <= now) {
            self.show(at, link, Way::Out, handle, flying);
        }
    }

    /// Writes a packet that arrives at the receiving end of a link.
    pub(super) fn arrived(&mut self, now: Time, link: u32, handle: u32, flying: &OnLinks) {
        self.ends(now, handle, flying);
        self.show(now, link, Way::In, handle, flying);
    }

    fn show(&mut self, at: Time, link: u32, way: Way, handle: u32, flying: &OnLinks) {
        let point = self.points.get_mut(link as usize).and_then(Option::as_mut);
        let Some((point, packet)) = point.zip(flying.get(handle)) else { return };
        let (end, what, does) = match way {
            Way::Out => (0, "sent", "packets at the start of their transmission"),
            Way::In => (1, "received", "packets on arrival"),
        };
        let interface = if let Some(number) = point.ends[end] {
            number
        } else {
            let name = format!("{}: {what}", point.name);
            let description = format!("link \"{}\": {does}", point.name);
            let interface = Interface { name: &name, description: &description, snap: self.most };
            // The file keeps the error, and the run ends.
            let number = self.file.interface(&interface).unwrap_or_default();
            *point.ends[end].insert(number)
        };
        let (kept, length) = (packet.kept(self.snap), packet.length);
        let _ = self.file.packet(&Captured { interface, at, way, kept, length });
    }

    /// Completes the file of a run that ends at `end`.
    pub(super) fn finish(mut self, end: Time, flying: &OnLinks) -> CaptureFile {
        self.until(end, flying);
        self.file.into_inner()
    }
}

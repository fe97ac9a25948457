// SPDX-License-Identifier: MIT OR Apache-2.0
//! The graph of a page: which object waits for which other objects.

use super::{MOST_OBJECTS, Object};
use crate::error::TrafficError;
use crate::law::Law;
use random::{Draw as _, SplitMix64};
use std::collections::HashMap;
use units::{Bytes, Span};

/// The objects of a page by number, and the objects for which each object waits. The graph is free of circles.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
}

/// An object.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Node {
    pub(super) size: Bytes,
    pub(super) think: Span,
    /// Number of objects for which this object waits.
    pub(super) waits: u32,
    /// The objects that wait for this object.
    pub(super) next: Vec<u32>,
}

impl Node {
    const fn new(size: Bytes, think: Span) -> Self {
        Self { size, think, waits: 0, next: Vec::new() }
    }
}

impl Graph {
    /// Builds the graph of a list of objects.
    pub(super) fn listed(objects: &[Object]) -> Result<Self, TrafficError> {
        if objects.is_empty() {
            return Err(TrafficError::PageEmpty);
        }
        if objects.len() > MOST_OBJECTS {
            return Err(TrafficError::PageLarge { objects: objects.len(), most: MOST_OBJECTS });
        }
        let mut places = HashMap::new();
        for (at, object) in objects.iter().enumerate() {
            if object.size == Bytes::ZERO {
                return Err(TrafficError::ObjectEmpty { object: object.name.clone() });
            }
            if places.insert(object.name.as_str(), at).is_some() {
                return Err(TrafficError::ObjectTwice { name: object.name.clone() });
            }
        }
        let mut graph =
            Self { nodes: objects.iter().map(|object| Node::new(object.size, object.think)).collect() };
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); objects.len()];
        for (at, object) in objects.iter().enumerate() {
            for name in &object.after {
                let Some(&first) = places.get(name.as_str()) else {
                    return Err(TrafficError::ObjectUnknown {
                        object: object.name.clone(),
                        after: name.clone(),
                    });
                };
                // If a name is listed twice, it counts once.
                if !before[at].contains(&first) {
                    before[at].push(first);
                    graph.follow(first, at);
                }
            }
        }
        if let Some(circle) = circle(&before) {
            return Err(TrafficError::Circle {
                objects: circle.into_iter().map(|at| objects[at].name.clone()).collect(),
            });
        }
        Ok(graph)
    }

    /// Draws a graph: the first object, then the other objects in stages.
    pub(super) fn drawn(first: &Law, others: &Law, size: &Law, stages: u32, dice: &mut SplitMix64) -> Self {
        let mut graph = Self { nodes: vec![Node::new(first.bytes(dice), Span::ZERO)] };
        // A page may consist of the first object alone.
        let others = others.draw(dice).round().clamp(0.0, (MOST_OBJECTS - 1) as f64) as usize;
        let stages = stages as usize;
        let mut stage_before = 0..1;
        for stage in 0..stages {
            let from = graph.nodes.len();
            // Stages have equal numbers of objects. If there is a remainder, the first stages have one more object.
            for _ in 0..others / stages + usize::from(stage < others % stages) {
                let parent = stage_before.start + (dice.fraction() * stage_before.len() as f64) as usize;
                graph.nodes.push(Node::new(size.bytes(dice), Span::ZERO));
                graph.follow(parent, graph.nodes.len() - 1);
            }
            if graph.nodes.len() > from {
                stage_before = from..graph.nodes.len();
            }
        }
        graph
    }

    fn follow(&mut self, first: usize, then: usize) {
        self.nodes[first].next.push(then as u32);
        self.nodes[then].waits += 1;
    }

    /// Returns the largest sum of `cost` over a chain of objects, in which each object waits for the previous object.
    pub(super) fn longest(&self, cost: impl Fn(&Node) -> Span) -> Span {
        let mut waits: Vec<u32> = self.nodes.iter().map(|node| node.waits).collect();
        let mut begins = vec![Span::ZERO; self.nodes.len()];
        let mut free: Vec<usize> = (0..self.nodes.len()).filter(|&at| waits[at] == 0).collect();
        let mut longest = Span::ZERO;
        while let Some(at) = free.pop() {
            let end = begins[at] + cost(&self.nodes[at]);
            longest = longest.max(end);
            for &next in &self.nodes[at].next {
                let next = next as usize;
                begins[next] = begins[next].max(end);
                waits[next] -= 1;
                if waits[next] == 0 {
                    free.push(next);
                }
            }
        }
        longest
    }
}

/// Returns objects that wait for each other in a circle. Each object waits for the next object in the list. `None` if
/// there is no circle.
fn circle(before: &[Vec<usize>]) -> Option<Vec<usize>> {
    // Depth-first search. `on_way` contains an object from its first visit until all objects for which it waits have
    // been visited.
    let mut done = vec![false; before.len()];
    let mut on_way = vec![false; before.len()];
    for start in 0..before.len() {
        let mut way: Vec<(usize, usize)> = Vec::new();
        if !done[start] {
            way.push((start, 0));
            on_way[start] = true;
        }
        while let Some((at, looked)) = way.last_mut() {
            let at = *at;
            let Some(&next) = before[at].get(*looked) else {
                (done[at], on_way[at]) = (true, false);
                way.pop();
                continue;
            };
            *looked += 1;
            if on_way[next] {
                return Some(way.iter().map(|&(at, _)| at).skip_while(|&at| at != next).collect());
            }
            if !done[next] {
                on_way[next] = true;
                way.push((next, 0));
            }
        }
    }
    None
}

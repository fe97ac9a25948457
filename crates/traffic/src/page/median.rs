// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page `median-2024`: what HTTP Archive's median desktop page of October 2024 has, object by object.
//!
//! Source: Web Almanac 2024, chapter Page Weight (almanac.httparchive.org/en/2024/page-weight): medians of desktop pages, 71
//! requests, of which 2 HTML, 8 CSS, 24 scripts, 18 images, 4 fonts; 2,652 KB, and of home pages 18 KB HTML, 78 KB CSS, 613
//! KB scripts, 1,054 KB images, 131 KB fonts (KB of 1,024 bytes). Medians do not add up: what is missing to 71 requests and
//! 2,652 KB are 15 others with 758 KB here (data, video, beacons).
//!
//! Ours: the objects of a kind have equal sizes; and what waits for what: the style sheets, half of the scripts and two thirds
//! of the images stand in the document; the other scripts are loaded by scripts, the other images and the fonts by style
//! sheets; frame and others by scripts of the document. So it takes three round trips after the handshake at least.

use super::Object;
use units::{Bytes, Span};

/// A kind of objects: its name, how many, KB of all of them, how many of them stand in the document, and the kind that loads
/// the others.
const KINDS: [(&str, u64, u64, u64, &str); 6] = [
    ("style", 8, 78, 8, ""),
    ("script", 24, 613, 12, "script"),
    ("font", 4, 131, 0, "style"),
    ("image", 18, 1_054, 12, "style"),
    ("frame", 1, 9, 0, "script"),
    ("other", 15, 758, 0, "script"),
];

pub(super) fn objects() -> Vec<Object> {
    // Half of the 18 KB of HTML; the frame has the other half.
    let document =
        Object { name: "document".to_owned(), size: kilobytes(9), after: Vec::new(), think: Span::ZERO };
    let mut page = vec![document];
    for (kind, count, all, direct, loader) in KINDS {
        for at in 0..count {
            // Whole bytes that add up.
            let part = |at| kilobytes(all).get() * at / count;
            let after = if at < direct {
                "document".to_owned()
            } else {
                let loaders = KINDS.iter().find(|named| named.0 == loader).map_or(1, |named| named.3);
                format!("{loader} {}", (at - direct) % loaders + 1)
            };
            page.push(Object {
                name: format!("{kind} {}", at + 1),
                size: Bytes::new(part(at + 1) - part(at)),
                after: vec![after],
                think: Span::ZERO,
            });
        }
    }
    page
}

const fn kilobytes(count: u64) -> Bytes {
    Bytes::new(count * 1_024)
}

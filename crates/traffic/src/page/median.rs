// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page `median-2024`: the objects of HTTP Archive's median desktop page of October 2024.
//!
//! Source: Web Almanac 2024, chapter Page Weight (almanac.httparchive.org/en/2024/page-weight). The median desktop page
//! has 2,652 KB and 71 requests. The median numbers of requests by kind are 2 HTML, 8 CSS, 24 scripts, 18 images and 4
//! fonts. The median sizes of home pages are 18 KB HTML, 78 KB CSS, 613 KB scripts, 1,054 KB images and 131 KB fonts. A
//! KB is 1,024 bytes. The sum of medians is not the median of the sum. To reach 71 requests and 2,652 KB, the page
//! therefore has 15 other objects with 758 KB (data, video, beacons).
//!
//! These are our assumptions. All objects of a kind have the same size. The document names the style sheets, half of
//! the scripts and two thirds of the images. Scripts load the other scripts. Style sheets load the other images and the
//! fonts. Scripts of the document load the frame and the other objects. The page therefore takes at least three round
//! trips after the handshake.

use super::Object;
use units::{Bytes, Span};

/// The kinds of objects: name, number of objects, total KB, number of objects that the document names, and the kind
/// that loads the remaining objects.
const KINDS: [(&str, u64, u64, u64, &str); 6] = [
    ("style", 8, 78, 8, ""),
    ("script", 24, 613, 12, "script"),
    ("font", 4, 131, 0, "style"),
    ("image", 18, 1_054, 12, "style"),
    ("frame", 1, 9, 0, "script"),
    ("other", 15, 758, 0, "script"),
];

pub(super) fn objects() -> Vec<Object> {
    // The document has half of the 18 KB of HTML, and the frame has the other half.
    let document =
        Object { name: "document".to_owned(), size: kilobytes(9), after: Vec::new(), think: Span::ZERO };
    let mut page = vec![document];
    for (kind, count, all, direct, loader) in KINDS {
        for at in 0..count {
            // The sizes are whole bytes, and their sum is the total of the kind.
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

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The smallest value of a sliding window of time, in three samples (K. Nichols; Linux lib/win_minmax.c): the twin of
 * `WindowedMin` in crates/control/src/windowed.rs. Times are in ms. A zeroed struct holds no value.
 */
#ifndef BENTPIPE_WINDOWED_H
#define BENTPIPE_WINDOWED_H

#include "kernel.h"

struct sample {
	u32 ms;
	u32 value;
};

struct windowed_min {
	struct sample s[3];
	u32 known;
};

/* Adds `value` and returns the smallest value of the last `window_ms`. */
static __always_inline u32 windowed_min(struct windowed_min *m, u32 window_ms, u32 now_ms, u32 value)
{
	struct sample new = { now_ms, value };
	u32 age;

	if (!m->known || value <= m->s[0].value || now_ms - m->s[2].ms > window_ms) {
		m->known = 1;
		m->s[0] = m->s[1] = m->s[2] = new;
		return value;
	}
	if (value <= m->s[1].value)
		m->s[1] = m->s[2] = new;
	else if (value <= m->s[2].value)
		m->s[2] = new;
	age = now_ms - m->s[0].ms;
	if (age > window_ms) {
		m->s[0] = m->s[1];
		m->s[1] = m->s[2];
		m->s[2] = new;
		if (now_ms - m->s[0].ms > window_ms) {
			m->s[0] = m->s[1];
			m->s[1] = m->s[2];
		}
	} else if (m->s[1].ms == m->s[0].ms && age > window_ms / 4) {
		m->s[1] = m->s[2] = new;
	} else if (m->s[2].ms == m->s[1].ms && age > window_ms / 2) {
		m->s[2] = new;
	}
	return m->s[0].value;
}

#endif

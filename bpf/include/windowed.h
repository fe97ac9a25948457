/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The smallest value of a sliding window of time, in three samples (K. Nichols; Linux lib/win_minmax.c): the twin of
 * `WindowedMin` in crates/control/src/windowed.rs, and with complements of values that of `WindowedMax`. Times are
 * ticks of the caller: ms, us or rounds. A zeroed struct holds no value.
 */
#ifndef BENTPIPE_WINDOWED_H
#define BENTPIPE_WINDOWED_H

#include "kernel.h"

struct sample {
	u64 tick;
	u64 value;
};

struct windowed_min {
	struct sample s[3];
	u32 known;
};

/* Adds `value` and returns the smallest value of the last `window` ticks. */
static __always_inline u64 windowed_min(struct windowed_min *m, u64 window, u64 now, u64 value)
{
	struct sample new = { now, value };
	u64 age;

	if (!m->known || value <= m->s[0].value || now - m->s[2].tick > window) {
		m->known = 1;
		m->s[0] = m->s[1] = m->s[2] = new;
		return value;
	}
	if (value <= m->s[1].value)
		m->s[1] = m->s[2] = new;
	else if (value <= m->s[2].value)
		m->s[2] = new;
	age = now - m->s[0].tick;
	if (age > window) {
		m->s[0] = m->s[1];
		m->s[1] = m->s[2];
		m->s[2] = new;
		if (now - m->s[0].tick > window) {
			m->s[0] = m->s[1];
			m->s[1] = m->s[2];
		}
	} else if (m->s[1].tick == m->s[0].tick && age > window / 4) {
		m->s[1] = m->s[2] = new;
	} else if (m->s[2].tick == m->s[1].tick && age > window / 2) {
		m->s[2] = new;
	}
	return m->s[0].value;
}

#endif

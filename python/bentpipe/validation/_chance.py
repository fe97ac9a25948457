# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute the published window rules under random losses, epoch by epoch, without packets, ACKs or timers.

Most response functions assume losses at equal distances, but the simulator's links lose packets independently. This
module applies the published rule under independent losses, for many flows at a time:

- Between two cuts the window follows the rule, in steps of half a round trip. ACKs answer segments that were sent a
  round trip ago. If W grows by g in a round trip, W - g/2 segments are acknowledged in it, and W + g/2 segments are
  sent.
- A loss costs a round trip of repair, in which the reduced window is sent and does not grow. All losses of a window
  together cause one cut. The last of these losses is detected up to a round trip after the first. It is repaired when
  the flight has fallen to the new window, which prolongs the repair.
- The next loss is drawn among the segments that are sent from the last round trip of the repair on. It is detected when
  the segments before it are acknowledged, so the growth of these segments counts.

The mean window is segments sent divided by round trips passed, as in the measurement.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Number of simultaneous flows. Each flow has its own losses.
_FLOWS = 500
#: Average number of epochs of each flow. The first fifth does not count.
_EPOCHS = 50
#: Duration of a step in round trips.
_STEP = 0.5


class Rule(ABC):
    """A published window rule for many flows at once. Windows are in segments, times in seconds since the cut."""

    @abstractmethod
    def growth(self, w: Array, t: Array) -> Array:
        """Return the segments gained while a window of W segments is acknowledged."""

    @abstractmethod
    def cut(self, w: Array, lost: NDArray[np.bool_]) -> Array:
        """Return the windows after a cut. Only the values of flows in `lost` count."""

    def passed(self, w: Array, share: Array) -> Array:  # noqa: ARG002 - for rules with a memory
        """Update the rule after a step that acknowledged `share` of a window, and return the windows."""
        return w


def mean_window(rule: Rule, p: float, rtt_s: float, start: float, rounds_per_epoch: float) -> float:
    """Return the mean window under independent losses.

    Args:
        rule: A new instance of the rule.
        p: Probability that a segment is lost.
        rtt_s: Round-trip time, without queues.
        start: Initial window. The value of the published law is close enough.
        rounds_per_epoch: Approximate length of an epoch, which decides the duration.
    """
    random = np.random.default_rng(1)
    w = np.full(_FLOWS, start)
    t = np.zeros(_FLOWS)
    left = random.geometric(p, _FLOWS).astype(np.float64)
    sent = rounds = 0.0
    steps = int(_EPOCHS * (rounds_per_epoch + 1) / _STEP)
    for step in range(steps):
        whole = rule.growth(w, t)
        middle = w + whole * _STEP / 2
        acked = np.maximum(np.floor(middle) - whole / 2, w / 2) * _STEP
        gain = rule.growth(middle, t + _STEP * rtt_s / 2) * acked / middle
        part = np.minimum(1.0, left / np.maximum(acked, 1e-9))
        grown = rule.passed(w + gain * part, acked * part / middle)
        left = left - acked * part
        t = t + _STEP * rtt_s * part
        lost = left <= 1e-9
        if step >= steps // 5:
            sent += float(np.sum(acked * part + grown - w))
            rounds += float(np.sum(_STEP * part))
        after = rule.cut(grown, lost)
        last = 1 - random.geometric(p, _FLOWS) / grown
        repair = 1 + np.where(last > 0, np.maximum(last, 1 - after / grown), 0.0)
        if step >= steps // 5:
            sent += float(np.sum((after * repair)[lost]))
            rounds += float(np.sum(repair[lost]))
        w = np.where(lost, np.maximum(after, 2.0), grown)
        t = np.where(lost, 0.0, t)
        left = np.where(lost, random.geometric(p, _FLOWS), left)
    return sent / rounds


class Aimd(Rule):
    """Reno (gain 1), Geo-Reno (its gain), Hybla (rho^2): growth by `gain` per round trip, and half at a loss.

    If packets are spaced at `spread` windows per round trip, the data in flight can grow at most by the factor `spread`
    in a round trip.
    """

    def __init__(self, gain: float = 1.0, spread: float = np.inf) -> None:
        self.gain = gain
        self.spread = spread

    def growth(self, w: Array, t: Array) -> Array:  # noqa: ARG002 - the rule knows no time
        """Return the growth of RFC 5681: `gain`/W per ACK, limited by the spacing of packets."""
        return np.minimum(self.gain, (self.spread - 1) * w)

    def cut(self, w: Array, lost: NDArray[np.bool_]) -> Array:  # noqa: ARG002
        """Return half of the window (RFC 5681)."""
        return w / 2


class Stcp(Rule):
    """Scalable TCP (Kelly 2003); Reno below 16 segments."""

    def growth(self, w: Array, t: Array) -> Array:  # noqa: ARG002
        """Return the growth of 0.01 per ACK."""
        return np.where(w < 16, 1.0, 0.01 * w)

    def cut(self, w: Array, lost: NDArray[np.bool_]) -> Array:  # noqa: ARG002
        """Return 7/8 of the window."""
        return np.where(w < 16, w / 2, 0.875 * w)


class Hstcp(Rule):
    """HighSpeed TCP (RFC 3649, section 5)."""

    def _b(self, w: Array) -> Array:
        return np.where(w <= 38, 0.5, 0.5 - 0.4 * np.log(np.maximum(w, 38) / 38) / np.log(83_000 / 38))

    def growth(self, w: Array, t: Array) -> Array:  # noqa: ARG002
        """Return a(w) = w^2 p(w) 2 b(w)/(2 - b(w)) with p(w) = 0.078/w^1.2."""
        b = self._b(w)
        return np.where(w <= 38, 1.0, np.maximum(1.0, 0.078 * w**0.8 * 2 * b / (2 - b)))

    def cut(self, w: Array, lost: NDArray[np.bool_]) -> Array:  # noqa: ARG002
        """Return (1 - b(w)) w."""
        return (1 - self._b(w)) * w


class Cubic(Rule):
    """CUBIC (RFC 9438, sections 4.2 to 4.6), without fast convergence. C = 0.4, beta = 0.7."""

    def __init__(self, rtt_s: float, start: float) -> None:
        self.rtt_s = rtt_s
        self.w_max: Array = np.full(_FLOWS, start)
        self.w_est: Array = np.full(_FLOWS, 0.7 * start)

    def growth(self, w: Array, t: Array) -> Array:
        """Return the growth towards W_cubic(t + RTT), at most half of the window."""
        k = np.cbrt(0.3 * self.w_max / 0.4)
        target: Array = np.clip(0.4 * (t + self.rtt_s - k) ** 3 + self.w_max, w, 1.5 * w)
        return target - w

    def passed(self, w: Array, share: Array) -> Array:
        """Keep the window at or above W_est, which grows like Reno's window (faster from W_max on)."""
        self.w_est = self.w_est + np.where(self.w_est < self.w_max, 3 * 0.3 / 1.7, 1.0) * share
        window: Array = np.maximum(w, self.w_est)
        return window

    def cut(self, w: Array, lost: NDArray[np.bool_]) -> Array:
        """Store the window as W_max, and return 0.7 of the window."""
        self.w_max = np.where(lost, w, self.w_max)
        self.w_est = np.where(lost, 0.7 * w, self.w_est)
        return 0.7 * w


class HTcp(Rule):
    """H-TCP (Shorten and Leith 2004) without queues: RTTmin = RTTmax, so beta is at its upper bound 0.8.

    With the throughput switch, beta is 0.5 at a loss whose throughput (here W/RTT) differs by more than a fifth from
    the throughput at the previous loss. Beta is also 0.5 at the first loss after such a change.
    """

    def __init__(self, rtt_s: float, *, switch: bool) -> None:
        self.scale = min(max(rtt_s / 0.1, 0.1), 2.0)
        self.switch = switch
        self.beta = np.full(_FLOWS, 0.8)
        self.adaptive = np.full(_FLOWS, fill_value=True)
        self.before = np.zeros(_FLOWS)

    def growth(self, w: Array, t: Array) -> Array:  # noqa: ARG002
        """Return the paper's alpha, 2 (1 - beta) max(1, f(D) scale)."""
        late = np.maximum(t - 1.0, 0.0)
        f = 1 + 10 * late + (late / 2) ** 2
        return 2 * (1 - self.beta) * np.maximum(1.0, f * self.scale)

    def cut(self, w: Array, lost: NDArray[np.bool_]) -> Array:
        """Return the share beta of the window."""
        if self.switch:
            changed = np.abs(w - self.before) > 0.2 * self.before
            self.beta = np.where(lost, np.where(changed | ~self.adaptive, 0.5, 0.8), self.beta)
            self.adaptive = np.where(lost, ~changed, self.adaptive)
            self.before = np.where(lost, w, self.before)
        return self.beta * w


class Bic(Rule):
    """BIC (Xu et al. 2004) with fast convergence: binary search below W_max, steps of 1, 2, 4, ... 32 above W_max."""

    def __init__(self, start: float) -> None:
        self.w_max = np.full(_FLOWS, start)
        self.probe = np.ones(_FLOWS)

    def growth(self, w: Array, t: Array) -> Array:  # noqa: ARG002
        """Return the growth: below W_max half of the distance in a round trip (at a rate of ln 2), above it `probe`."""
        gap = self.w_max - w
        search = np.where(gap / 2 > 32, 32.0, np.maximum(np.log(2) * gap, 0.01))
        return np.where(w < 14, 1.0, np.where(gap > 0, search, self.probe))

    def passed(self, w: Array, share: Array) -> Array:
        """Double the step in each round trip above W_max, up to 32."""
        self.probe = np.where(w < self.w_max, 1.0, np.minimum(self.probe * 2**share, 32.0))
        return w

    def cut(self, w: Array, lost: NDArray[np.bool_]) -> Array:
        """Return 7/8 of the window. Below W_max, the next W_max is the middle of the windows before and after."""
        middle = np.where(w < self.w_max, w * (2 - 0.125) / 2, w)
        self.w_max = np.where(lost, middle, self.w_max)
        self.probe = np.where(lost, 1.0, self.probe)
        return np.where(w < 14, w / 2, 0.875 * w)

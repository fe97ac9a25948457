# SPDX-License-Identifier: MIT OR Apache-2.0
"""Controllers of the user's own, written in Python."""

from __future__ import annotations

import functools
import inspect
import re
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from bentpipe import _core
from bentpipe.base.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bentpipe._core import AckEvent, Control, LossEvent, Moment, MssEvent, PathEvent, StartEvent, TimeoutEvent


class Controller:
    """What a controller written in Python is made from: a class of your own overrides what it needs.

    Each flow has an object of its own, made with the scenario's parameters as keyword arguments; numbers arrive as
    float. An ``__init__`` that cannot use a value raises ValueError. Every method gets an event (a set of facts,
    where None is "not known") and the flow's `Control`, and changes there what it wants changed. Windows and amounts
    of data are in segments, times in seconds of the run.

    The same run must come out the same: no clock, no files, and chance only from ``random.Random(event.seed)`` with
    the seed of `on_start`.

    A flow may be copied in mid-flight: ``copy.deepcopy`` of the object and its `Control` must make a controller that
    goes on alike. It does unless an attribute holds what cannot be copied (an open file, a lock, a generator).

    Attributes:
        signals: Names of what the controller uses beyond acknowledgements, losses and timeouts: "delivery-rate
            samples", "pacing", "spurious-loss reports", "one-way delays", "timers", "hold", "propagation delay from
            the geometry", "distance between the endpoints", "path-change announcements", "congestion-warning marks",
            "cumulative acknowledgements". Delivery rates and propagation delays come only to those that name them. A
            run on a network that lacks one is marked as degraded.
    """

    signals: ClassVar[tuple[str, ...]] = ()

    def on_start(self, event: StartEvent, control: Control) -> None:
        """The connection starts; ``control.cwnd`` holds the initial window."""

    def on_ack(self, event: AckEvent, control: Control) -> None:
        """An acknowledgement arrived. It comes before the loss that it reveals."""

    def on_loss(self, event: LossEvent, control: Control) -> Literal["congestion", "link error"] | None:
        """Packets were declared lost. React to the first of an episode (``event.new_episode``).

        Returns:
            "link error" if this was none of congestion: the packet is sent again, and no episode is opened.
        """

    def on_timeout(self, event: TimeoutEvent, control: Control) -> None:
        """The retransmission timer expired."""

    def on_persistent_congestion(self, event: Moment, control: Control) -> None:  # noqa: ARG002 - for those who override
        """All packets of a long enough period were lost (RFC 9002, section 7.6): two segments are left of the window.

        Platforms of datagrams (QUIC) call it in the place of `on_timeout`, after the `on_loss` that shows it. TCP
        never does.
        """
        control.cwnd = min(control.cwnd, 2.0)

    def on_recovery_exit(self, event: Moment, control: Control) -> None:
        """The episode is repaired: everything sent before it began is acknowledged."""

    def on_spurious(self, event: Moment, control: Control) -> None:
        """The losses of ``event.episode`` were none: the packets were only late."""

    def on_unused(self, event: Moment, control: Control) -> None:
        """The window was not used, and is to be at most ``event.cwnd_segments`` (`tcp.slow_start_after_idle`).

        A threshold is to be at least ``event.ssthresh_segments`` and at most ``event.most_ssthresh_segments``,
        where these are given.

        Without this method it stands, as with a controller that has a model of the path.
        """

    def on_idle(self, event: Moment, control: Control) -> None:
        """Sending resumes after ``event.idle_s`` with nothing in flight."""

    def on_path(self, event: PathEvent, control: Control) -> None:
        """The path changes, or will."""

    def on_mss(self, event: MssEvent, control: Control) -> None:
        """A full segment has another size: ``control`` shows the same bytes in segments of the new one."""

    def on_timer(self, event: Moment, control: Control) -> None:
        """The time of ``control.timer_s`` has come."""

    def snapshot(self) -> Mapping[str, float]:
        """Numbers of your own for the table of snapshots, the unit in the name; asked for once per sample."""
        return {}


_Class = TypeVar("_Class", bound=type[Controller])

#: What was registered in this process.
REGISTERED: dict[str, type[Controller]] = {}
#: What may not be registered a second time; None outside `names_taken_once`.
_taken: set[str] | None = None


@contextmanager
def names_taken_once() -> Iterator[None]:
    """Refuse, within the context, a second controller of a name that was registered within it.

    The order of plugins must not decide which controller runs. In a notebook a later class takes the place of another.
    """
    global _taken
    _taken = set()
    try:
        yield
    finally:
        _taken = None


def register(name: str) -> Callable[[_Class], _Class]:
    """Make a class of your own a controller that scenarios and comparisons can name.

    >>> import bentpipe as bp
    >>> @bp.register("fixed-window")
    ... class FixedWindow(bp.Controller):
    ...     def __init__(self, window: float = 10.0) -> None:
    ...         self.window = window
    ...
    ...     def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
    ...         control.cwnd = self.window

    Args:
        name: Letters, digits, ``.``, ``_`` and ``-``. A later class of the same name takes its place;
            files of ``--plugin`` need names of their own.

    Raises:
        ScenarioError: If the catalogue has a controller of that name, or a file of ``--plugin`` has registered it.
        TypeError: If the name is no text (``@register`` without one), the class is no `Controller`, or has an ``on_…``
            method that no event calls.
        ValueError: If the name has other characters in it, or a signal is not known.
    """
    if not isinstance(name, str):
        raise TypeError(f'register takes a name, not {name!r} (write @bp.register("name") above the class)')
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise ValueError(f"{name!r} is no name for a controller: use letters, digits, and . _ - between them")

    def put(cls: _Class) -> _Class:
        _check(name, cls)
        if _taken is not None:
            if name in _taken:
                raise ScenarioError(
                    "controller-name-taken", f"a controller {name!r} of your own is registered already (rename one)"
                )
            _taken.add(name)
        _core.register(name, functools.partial(_make, name, cls), list(cls.signals))
        REGISTERED[name] = cls
        return cls

    return put


def _check(name: str, cls: object) -> None:
    """What would only show as silence during a run."""
    if not (isinstance(cls, type) and issubclass(cls, Controller)):
        raise TypeError(f"controller {name!r}: {cls!r} is no subclass of bentpipe.Controller")
    if isinstance(cls.signals, str):
        raise TypeError(f"controller {name!r}: signals is {cls.signals!r}; write a tuple, ({cls.signals!r},)")
    known = [method for method in dir(Controller) if method.startswith("on_")]
    for method in dir(cls):
        if method.startswith("on_") and method not in known:
            near = _core.nearest(method, known)
            hint = f"the nearest is {near}" if near else f"events are {', '.join(known)}"
            raise TypeError(f"controller {name!r}: no event calls {cls.__name__}.{method}; {hint}")


def _make(name: str, cls: type[Controller], /, **parameters: float | str | bool) -> Controller:
    """An object for a flow, its parameters held against the signature of ``__init__``."""
    accepted = inspect.signature(cls).parameters.values()
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted)
    named = {p.name: p for p in accepted if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    unknown = next((given for given in parameters if given not in named and not takes_all), None)
    if unknown is not None:
        near = _core.nearest(unknown, list(named))
        hint = f"the nearest is `{near}`" if near else f"it has {', '.join(named) or 'none at all'}"
        raise ScenarioError("parameter-unknown", f"controller `{name}` has no parameter `{unknown}`; {hint}")
    missing = next((p for p in named.values() if p.default is p.empty and p.name not in parameters), None)
    if missing is not None:
        raise ScenarioError(
            "parameter-value",
            f"controller `{name}` needs the parameter `{missing.name}`: "
            f'write controller = {{ name = "{name}", {missing.name} = … }}, or give it a default in __init__',
        )
    try:
        return cls(**parameters)
    except (TypeError, ValueError) as problem:
        given = ", ".join(f"{key} = {value!r}" for key, value in parameters.items())
        *_, frame = traceback.extract_tb(problem.__traceback__)
        raise ScenarioError(
            "parameter-value",
            f"controller `{name}` refuses {given or 'its defaults'}: {problem} ({frame.filename}:{frame.lineno})",
        ) from problem

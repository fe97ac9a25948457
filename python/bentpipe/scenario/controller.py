# SPDX-License-Identifier: MIT OR Apache-2.0
"""Controllers that users write in Python."""

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
    """Base class of controllers in Python. Your class overrides the methods that it needs.

    Each flow has its own object. ``__init__`` gets the scenario's parameters as keyword arguments; numbers are float.
    If ``__init__`` cannot use a value, it raises ValueError. Every method gets an event and the flow's `Control`, and
    changes attributes of the `Control`. In an event, None means "not known". Windows and amounts of data are in
    segments, times in seconds of the run.

    A repeated run must give the same result: use no clock and no files, and draw only from
    ``random.Random(event.seed)`` with the seed of `on_start`.

    A flow may be copied during a run. A ``copy.deepcopy`` of the object and its `Control` must continue in the same
    way. This works unless an attribute cannot be copied (an open file, a lock, a generator).

    Attributes:
        signals: Names of the signals that the controller uses beyond acknowledgements, losses and timeouts:
            "delivery-rate samples", "pacing", "spurious-loss reports", "one-way delays", "timers", "hold", "propagation
            delay from the geometry", "distance between the endpoints", "path-change announcements", "congestion-warning
            marks", "cumulative acknowledgements". Delivery rates and propagation delays are None unless the controller
            names these signals. If the network lacks a named signal, the run is marked as degraded.
    """

    signals: ClassVar[tuple[str, ...]] = ()

    def on_start(self, event: StartEvent, control: Control) -> None:
        """Called when the connection starts. ``control.cwnd`` is the initial window."""

    def on_ack(self, event: AckEvent, control: Control) -> None:
        """Called when an acknowledgement arrives. If it reveals a loss, `on_loss` is called afterwards."""

    def on_loss(self, event: LossEvent, control: Control) -> Literal["congestion", "link error"] | None:
        """Called when packets are declared lost. React to the first loss of an episode (``event.new_episode``).

        Returns:
            "link error" if congestion did not cause the loss. The packet is then retransmitted, and no episode begins.
        """

    def on_timeout(self, event: TimeoutEvent, control: Control) -> None:
        """Called when the retransmission timer expires."""

    def on_persistent_congestion(self, event: Moment, control: Control) -> None:  # noqa: ARG002 - for overriding methods
        """Called when all packets of a long enough period are lost (RFC 9002, section 7.6). The window is two segments.

        QUIC calls this method instead of `on_timeout`, after the call of `on_loss` for these packets. TCP never calls
        this method.
        """
        control.cwnd = min(control.cwnd, 2.0)

    def on_recovery_exit(self, event: Moment, control: Control) -> None:
        """Called when the episode is repaired: all data that was sent before the episode began is acknowledged."""

    def on_spurious(self, event: Moment, control: Control) -> None:
        """Called when the losses of ``event.episode`` are spurious: the packets were late and not lost."""

    def on_unused(self, event: Moment, control: Control) -> None:
        """Called when the window was not used (`tcp.slow_start_after_idle`).

        Reduce the window to at most ``event.cwnd_segments``.

        Keep the threshold between ``event.ssthresh_segments`` and ``event.most_ssthresh_segments``, if these are not
        None.

        Without this method, the window does not change.
        """

    def on_idle(self, event: Moment, control: Control) -> None:
        """Called when sending resumes after nothing was in flight for ``event.idle_s``."""

    def on_path(self, event: PathEvent, control: Control) -> None:
        """Called when the path changes now, or at an announced time."""

    def on_mss(self, event: MssEvent, control: Control) -> None:
        """Called when the size of a full segment changed.

        ``control`` has the same number of bytes, in segments of the new size.
        """

    def on_timer(self, event: Moment, control: Control) -> None:
        """Called when the time ``control.timer_s`` is reached."""

    def snapshot(self) -> Mapping[str, float]:
        """Return your own numbers for the table of snapshots, with units in the names. Called once per sample."""
        return {}


_Class = TypeVar("_Class", bound=type[Controller])

#: The controllers registered in this process.
REGISTERED: dict[str, type[Controller]] = {}
#: Names that must not be registered again; None outside `names_taken_once`.
_taken: set[str] | None = None


@contextmanager
def names_taken_once() -> Iterator[None]:
    """Refuse a second controller of the same name within the context.

    The order of plugins must not decide which controller runs. In a notebook, a later class replaces an earlier class.
    """
    global _taken
    _taken = set()
    try:
        yield
    finally:
        _taken = None


def register(name: str) -> Callable[[_Class], _Class]:
    """Register your class as a controller that scenarios and comparisons can name.

    >>> import bentpipe as bp
    >>> @bp.register("fixed-window")
    ... class FixedWindow(bp.Controller):
    ...     def __init__(self, window: float = 10.0) -> None:
    ...         self.window = window
    ...
    ...     def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
    ...         control.cwnd = self.window

    Args:
        name: Letters, digits, ``.``, ``_`` and ``-``. A later class of the same name replaces an earlier class. Files
            of ``--plugin`` need different names.

    Raises:
        ScenarioError: If the catalogue has a controller of this name, or a file of ``--plugin`` has registered the
            name.
        TypeError: If the name is not text (for example ``@register`` without a name), or the class is not a
            `Controller`, or the class has an ``on_…`` method that no event calls.
        ValueError: If the name has other characters, or a signal is unknown.
    """
    if not isinstance(name, str):
        raise TypeError(f'register needs a name, not {name!r} (write @bp.register("name") above the class)')
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise ValueError(f"{name!r} is not a valid name of a controller: use letters, digits, and . _ - between them")

    def put(cls: _Class) -> _Class:
        _check(name, cls)
        if _taken is not None:
            if name in _taken:
                raise ScenarioError(
                    "controller-name-taken", f"your controller {name!r} is already registered (rename one of the two)"
                )
            _taken.add(name)
        _core.register(name, functools.partial(_make, name, cls), list(cls.signals))
        REGISTERED[name] = cls
        return cls

    return put


def _check(name: str, cls: object) -> None:
    """Check for mistakes that a run would not report."""
    if not (isinstance(cls, type) and issubclass(cls, Controller)):
        raise TypeError(f"controller {name!r}: {cls!r} is not a subclass of bentpipe.Controller")
    if isinstance(cls.signals, str):
        raise TypeError(f"controller {name!r}: signals is {cls.signals!r}, not a tuple: write ({cls.signals!r},)")
    known = [method for method in dir(Controller) if method.startswith("on_")]
    for method in dir(cls):
        if method.startswith("on_") and method not in known:
            near = _core.nearest(method, known)
            hint = f"the nearest is {near}" if near else f"events are {', '.join(known)}"
            raise TypeError(f"controller {name!r}: no event calls {cls.__name__}.{method}; {hint}")


def _make(name: str, cls: type[Controller], /, **parameters: float | str | bool) -> Controller:
    """Check parameters against the signature of ``__init__``, and make the object for a flow."""
    accepted = inspect.signature(cls).parameters.values()
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted)
    named = {p.name: p for p in accepted if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    unknown = next((given for given in parameters if given not in named and not takes_all), None)
    if unknown is not None:
        near = _core.nearest(unknown, list(named))
        hint = f"the nearest is `{near}`" if near else f"known parameters: {', '.join(named) or 'none'}"
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

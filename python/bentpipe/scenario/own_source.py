# SPDX-License-Identifier: MIT OR Apache-2.0
"""A digest of the code of a controller in Python. Stored runs are used only while the digest does not change.

The digest covers loaded code: the byte code of the class's methods, their defaults and closures, and class attributes.
It covers every function, class and value that this code names, recursively within the user's modules. A module that a
function imports during the run may not be loaded yet, so the digest covers the module's file and the modules that the
file imports. If code calls `getattr`, `vars`, `globals` or similar functions, the digest covers complete modules of the
user. Comments, names of local files and line numbers have no effect. A value that changed after the import has an
effect. Python's library, installed packages and Bentpipe count by name and version. Code that is executed from text,
and files that the controller reads during the run, are not covered.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import importlib.machinery
import importlib.util
import os
import pickle
import sys
import types
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe.scenario.controller import REGISTERED

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

#: Attributes that Python adds to each class and that have no effect on behaviour.
_MADE = {"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__annotate_func__"}
_MADE |= {"__firstlineno__", "__static_attributes__", "__annotations_cache__", "_abc_impl"}
_MADE |= {"__dataclass_fields__", "__dataclass_params__"}  # the generated methods are covered
#: Functions and attributes that look up a name given as text.
_BY_TEXT = frozenset({"__dict__", "attrgetter", "eval", "exec", "getattr", "getattr_static", "globals", "vars"})
#: Functions that import a module given as text.
_IMPORT_BY_TEXT = frozenset({"__import__", "import_module"})


def digest(value: object) -> str:
    """Return a digest that is equal for two values with the same behaviour, also in two processes.

    The digest of a value that can be neither read nor pickled (an open file, a lock) differs in every process.
    """
    walk = _Walk()
    walk.take(value)
    return walk.sum.hexdigest()


def digest_of(name: str) -> str | None:
    """Return the digest of a registered controller; None if a part of it can be neither read nor pickled."""
    walk = _Walk()
    walk.take(REGISTERED.get(name))
    return walk.sum.hexdigest() if walk.is_known and name in REGISTERED else None


class _Walk:
    """A traversal of a value that visits each object once, also in cycles."""

    def __init__(self) -> None:
        self.sum = hashlib.sha256(sys.version.encode())
        #: Whether everything could be read.
        self.is_known = True
        self._seen: dict[int, int] = {}
        self._imports: set[str] = set()
        self._kept: list[object] = []  # visited objects are kept, so that no address is reused

    def take(self, value: object, names: frozenset[str] = frozenset()) -> None:
        """Add a value. `names` are the names that the referring code looks up. In a module, only these names count."""
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            self._put(type(value).__name__, repr(value))
            return
        # Another function may look up further names of a module. A value without references counts each time, because
        # the way of loading decides whether two equal constants are one object.
        if not isinstance(value, types.ModuleType | types.CodeType | tuple | frozenset):
            if id(value) in self._seen:
                self._put("again", str(self._seen[id(value)]))
                return
            self._seen[id(value)] = len(self._seen)
            self._kept.append(value)
        if isinstance(value, tuple | list | dict | set | frozenset):
            self._container(value)
        elif isinstance(value, types.CodeType):
            self._put("code", _code_digest(value))
        elif isinstance(value, types.ModuleType):
            self._module(value, names)
        elif _is_foreign(value):
            self._put("foreign", _called(value))
        elif isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(value, type):
            self._class(value)
        else:
            self._object(value)

    def _put(self, *words: str) -> None:
        for word in words:
            self.sum.update(f"{len(word)} {word}".encode(errors="surrogatepass"))

    def _all(self, kind: str, values: Sequence[object]) -> None:
        self._put(kind, str(len(values)))
        for value in values:
            self.take(value)

    def _container(self, value: Collection[object]) -> None:
        if isinstance(value, set | frozenset):  # the order of a set differs between processes
            self._put("set", *sorted(digest(item) for item in value))
        else:
            self._all(type(value).__name__, [*value.items()] if isinstance(value, dict) else [*value])

    def _function(self, function: types.FunctionType) -> None:
        self.take(function.__code__)
        self._all("defaults", [function.__defaults__, function.__kwdefaults__])
        for cell in function.__closure__ or ():
            try:
                self.take(cell.cell_contents)
            except ValueError:  # not filled yet
                self._put("empty")
        names = _looked_up(function.__code__)
        for name in _of_module(function.__globals__, names):
            self._put(name)
            self.take(function.__globals__[name], names)
        self._import_all(function.__code__, function.__globals__.get("__package__"))

    def _class(self, cls: type) -> None:
        self._all("bases", [*cls.__mro__[1:]])
        for name, value in sorted(vars(cls).items()):
            if name not in _MADE and not isinstance(value, types.GetSetDescriptorType | types.MemberDescriptorType):
                self._put(name)
                self.take(value)

    def _module(self, module: types.ModuleType, names: frozenset[str]) -> None:
        if _is_of_others(module.__name__):
            self._put("foreign", _called(module))
            return
        for name in _of_module(vars(module), names):
            self._put(module.__name__, name)
            self.take(vars(module)[name], names)

    def _import_all(self, code: types.CodeType, package: str | None) -> None:
        """Add the modules that code imports at run time, each once, and the modules that these modules import."""
        for name in sorted(_imported(code, package or "") - self._imports):
            self._imports.add(name)
            file = _file_of(name)
            if file is None or _is_of_others(name):
                self._put("import", name, _version(name.partition(".")[0]))
                continue
            loaded = _code_of(file.name, file.read_bytes())
            self._put("import", name, _code_digest(loaded))
            self._import_all(loaded, name if file.name == "__init__.py" else name.rpartition(".")[0])

    def _object(self, value: object) -> None:
        """Add an instance: the parts of a known wrapper, otherwise the pickled state."""
        if isinstance(value, staticmethod | classmethod | types.MethodType):
            self._all(str(type(value)), [value.__func__, getattr(value, "__self__", None)])
        elif isinstance(value, property):
            self._all("property", [value.fget, value.fset, value.fdel])
        elif isinstance(value, functools.partial):
            self._all("partial", [value.func, value.args, value.keywords])
        elif isinstance(value, functools.cached_property):
            self._all("cached", [value.func])
        elif hasattr(value, "__wrapped__"):
            self._all("wrapped", [type(value), value.__wrapped__, *sorted(vars(value).items())])
        else:
            self.take(type(value))
            try:
                self._put("object", pickle.dumps(value, protocol=4).hex())
            except Exception:  # pickling may raise any exception; the content is then unknown
                self.is_known = False
                self._put("unknown", _this_process(), str(id(value)))
                self._all("vars", sorted(getattr(value, "__dict__", {}).items()))


@functools.cache
def _this_process() -> str:
    return os.urandom(16).hex()


# Cached, because a sweep computes the digest for every point, and code objects never change.
@functools.lru_cache(4096)
def _code_digest(code: types.CodeType) -> str:
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    errors = getattr(code, "co_exceptiontable", b"")
    return digest((code.co_code, errors, *counts, *names, *code.co_consts))


@functools.lru_cache(4096)
def _looked_up(code: types.CodeType) -> frozenset[str]:
    """Return all names that a code object and its inner code objects look up in modules."""
    inner = (_looked_up(part) for part in code.co_consts if isinstance(part, types.CodeType))
    return frozenset(code.co_names).union(*inner)


def _of_module(variables: Mapping[str, object], names: frozenset[str]) -> list[str]:
    """Return the variables of a module that code with these names may use; with look-up by text, all variables."""
    if names & _BY_TEXT:
        return sorted(name for name in variables if not (name.startswith("__") and name.endswith("__")))
    return sorted(names & variables.keys())


@functools.lru_cache(4096)
def _imported(code: types.CodeType, package: str) -> frozenset[str]:
    """Return the names of the modules that a code object and its inner code objects import, with their packages."""
    found: set[str] = set()
    before: list[Any] = [None, None]
    for instruction in dis.get_instructions(code):
        if instruction.opname == "IMPORT_NAME":
            level, names = before
            name = instruction.argval or ""
            if level:
                name = importlib.util.resolve_name("." * level + name, package) if package else ""
            found |= {name, *(f"{name}.{one}" for one in names or () if _file_of(f"{name}.{one}") is not None)}
        before = [before[1], instruction.argval]
    if _IMPORT_BY_TEXT & set(code.co_names):
        found |= {text for text in code.co_consts if isinstance(text, str) and _file_of(text) is not None}
    inner = (_imported(part, package) for part in code.co_consts if isinstance(part, types.CodeType))
    found = found.union(*inner) - {""}
    above = {name.rsplit(".", depth)[0] for name in found for depth in range(1, name.count(".") + 1)}
    return frozenset(found | above)


def _file_of(name: str) -> Path | None:
    """Return the Python file of a module, loaded or not; None if the module has no file or does not exist."""
    if not all(part.isidentifier() for part in name.split(".")):
        return None
    top, *inner = name.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    for place, part in enumerate(inner):
        if spec is None or spec.submodule_search_locations is None:
            return None
        full = ".".join([top, *inner[:place], part])
        spec = importlib.machinery.PathFinder.find_spec(full, spec.submodule_search_locations)
    file = None if spec is None or not spec.has_location else Path(str(spec.origin))
    return file if file is not None and file.suffix == ".py" and file.is_file() else None


@functools.lru_cache(256)
def _code_of(name: str, source: bytes) -> types.CodeType:
    try:
        return compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):  # importing the module would fail too
        return compile(repr(source), name, "exec")


@functools.cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _is_foreign(value: object) -> bool:
    """Return whether the value is a class or function that the user did not write."""
    callable_ = isinstance(value, type | types.FunctionType | types.BuiltinFunctionType | types.MethodDescriptorType)
    return callable_ and _is_of_others(getattr(value, "__module__", None) or "builtins")


@functools.cache
def _is_of_others(name: str) -> bool:
    """Return whether a module belongs to Python, an installed package or Bentpipe."""
    if name.partition(".")[0] in {*sys.stdlib_module_names, "bentpipe"}:
        return True
    file = getattr(sys.modules.get(name), "__file__", None) or str(_file_of(name) or "")
    return f"{os.sep}site-packages{os.sep}" in file or f"{os.sep}dist-packages{os.sep}" in file


def _called(value: object) -> str:
    """Return a unique name of a class or function, with the version of its package."""
    module = value.__name__ if isinstance(value, types.ModuleType) else str(value.__module__)
    version = getattr(sys.modules.get(module.partition(".")[0]), "__version__", "")
    return f"{module} {getattr(value, '__qualname__', '')} {version}"

# SPDX-License-Identifier: MIT OR Apache-2.0
"""The stub of the native module, compared with the built module."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from bentpipe import _core

STUB = ast.parse((Path(_core.__file__).parent / "_core.pyi").read_text())


def _parameters(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    return [
        a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs) if a.arg not in ("self", "cls")
    ]


FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def test_same_names() -> None:
    built = {name for name in vars(_core) if not name.startswith("_")}
    assert built == set(FUNCTIONS) | set(CLASSES)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_same_parameters(name: str) -> None:
    assert list(inspect.signature(getattr(_core, name)).parameters) == _parameters(FUNCTIONS[name])


@pytest.mark.parametrize("name", CLASSES)
def test_same_members(name: str) -> None:
    built = getattr(_core, name)
    for member in CLASSES[name].body:
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            assert hasattr(built, member.target.id)
        elif isinstance(member, ast.FunctionDef):
            found = built if member.name == "__new__" else getattr(built, member.name)
            parameters = [p for p in inspect.signature(found).parameters if p != "self"]
            assert parameters == _parameters(member)
    stubbed = {
        member.target.id if isinstance(member, ast.AnnAssign) else member.name
        for member in CLASSES[name].body
        if isinstance(member, (ast.AnnAssign, ast.FunctionDef))
    }
    assert {member for member in vars(built) if not member.startswith("_")} <= stubbed

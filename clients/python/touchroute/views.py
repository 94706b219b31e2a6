"""The views that a program adds in one that it holds (rule L7), as dictionaries say them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from . import abi
from .arguments import path_bytes, shown
from .changes import Change, changed
from .errors import RequestError

Step = abi.touchroute_view_change
_PROPERTIES = {field.name for field in fields(Change)} - {"path", "configured", "level", "enabled"}


def steps_of(steps: Iterable[Mapping[str, Any]]) -> list[Step]:
    """The steps that dictionaries say. Raises RequestError, which names the step."""
    if isinstance(steps, (str, bytes, Mapping)):
        raise RequestError(f"change_views takes a list of dictionaries, not {shown(steps)}")
    packed: list[Step] = []
    for number, step in enumerate(steps, 1):
        try:
            packed += _steps(step)
        except RequestError as error:
            raise RequestError(f"step {number}: {error}") from None
    if not packed:
        raise RequestError("there is nothing to change")
    return packed


def _steps(step: Mapping[str, Any]) -> Iterator[Step]:
    if not isinstance(step, Mapping):
        raise RequestError(f"a step has to be a dictionary, not {shown(step)}")
    verbs = [verb for verb in ("add", "remove", "change") if verb in step]
    if len(verbs) != 1:
        raise RequestError(f"a step has one of add, remove and change: {shown(step)}")
    path = step[verbs[0]]
    rest = {key: value for key, value in step.items() if key != verbs[0]}
    match verbs[0]:
        case "add":
            yield from _added(path, rest)
        case "remove":
            if rest:
                raise RequestError(f"a view that is removed has no {', '.join(rest)}")
            yield Step(abi.STEP_REMOVE, _path(path))
        case _:
            allowed = _PROPERTIES | {"configured"}
            yield _step(abi.STEP_CHANGE, path_bytes(path), None, _values(path, rest, allowed))


def _added(path: object, view: Mapping[str, Any]) -> Iterator[Step]:
    own = {key: value for key, value in view.items() if key not in ("controller", "views")}
    if own.get("frame") is None:
        raise RequestError(f"{shown(path)} is added and needs a frame")
    controller = path_bytes(view.get("controller") or "")
    if len(controller) > abi.MAX_NAME:
        raise RequestError(f"the controller of {shown(path)} can have {abi.MAX_NAME} bytes")
    yield _step(abi.STEP_ADD, _path(path), controller or None, _values(path, own, _PROPERTIES))
    subviews = view.get("views", [])
    if isinstance(subviews, (str, bytes, Mapping)) or not isinstance(subviews, Iterable):
        raise RequestError(f"the views of {shown(path)} have to be a list of dictionaries")
    for subview in subviews:
        if not isinstance(subview, Mapping) or not isinstance(subview.get("add"), str):
            raise RequestError(f"each of the views of {shown(path)} has add, with its name")
        rest = {key: value for key, value in subview.items() if key != "add"}
        yield from _added(f"{path}/{subview['add']}", rest)


def _path(path: object) -> bytes:
    data = path_bytes(path)
    if not data:
        raise RequestError("a view that is added or removed needs a path")
    return data


def _values(
    path: object, properties: Mapping[str, Any], allowed: set[str]
) -> list[abi.touchroute_property_change]:
    for key in properties:
        if key not in allowed:
            raise RequestError(f"{shown(path)} has no {shown(key)}: {', '.join(sorted(allowed))}")
    # The path is said once in a step; a Change only wants one.
    parts = Change(str(path) or "it", **properties).parts()
    return [changed(b"", kind, value) for kind, value in parts]


def _step(
    kind: int, path: bytes, controller: bytes | None, values: list[abi.touchroute_property_change]
) -> Step:
    properties = (abi.touchroute_property_change * len(values))(*values)
    return Step(kind, path, controller, properties, len(values))

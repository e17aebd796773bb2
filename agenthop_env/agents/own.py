"""One's own agents: a factory named as `module:Factory` or `path/to/file.py:Factory`."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from agenthop_env.agents.protocol import AgentError, AgentFactory, AnyAgent, checked_factory
from agenthop_env.records import Json
from agenthop_env.sandbox.episode import Episode

HOW_TO_NAME: Final = "module:Factory or path/to/file.py:Factory"

_PASSED_BY_NAME: Final = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_TRUTHS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class OwnFactory:
    """A factory by the place of its code, from where worker processes load it again.

    Args:
        reference: `module:Factory` or `path/to/file.py:Factory`. What is found is a factory, or a class or function
            that makes one of the settings.
        seed: Seed of the run, given to what takes `seed`.
        settings: What else it takes.

    Raises:
        AgentError: If there is no such code, it fails, or what it makes is no factory.
    """

    def __init__(self, reference: str, seed: int, settings: Mapping[str, Any]) -> None:
        place, _, name = reference.rpartition(":")
        if not place or not name:
            raise AgentError(f"{reference!r} names no factory; write {HOW_TO_NAME}")
        if _is_file(place):
            place = str(Path(place).expanduser().resolve())
        self.reference = f"{place}:{name}"
        self._given = (seed, dict(settings))
        self._made = _make(_find(place, name), reference, seed, settings)
        self.name = self._made.name
        self.settings: dict[str, Json] = self._made.settings

    def begin(self, episode: Episode) -> AnyAgent:
        """An agent for an episode that is about to start."""
        return self._made.begin(episode)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as its reference."""
        return OwnFactory, (self.reference, *self._given)


def fitting(name: str, make: Callable[..., object], seed: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords to call something with that makes a factory: the settings, and the seed where it takes one.

    A setting given as text becomes a number or truth value where that is what the parameter's default is.

    Args:
        name: Name of the agent, for messages.
        make: What will be called.
        seed: Seed of the run.
        settings: The settings.

    Raises:
        AgentError: If it does not take such settings, or needs others.
    """
    try:
        taken = inspect.signature(make).parameters
    except ValueError:  # made in C; it will say itself what it does not take
        return dict(settings)
    named = {key: one for key, one in taken.items() if one.kind in _PASSED_BY_NAME}
    keywords = dict(settings)
    if not any(one.kind is one.VAR_KEYWORD for one in taken.values()):
        known = [key for key in named if key != "seed"]
        unknown = sorted(keywords.keys() - set(known))
        missing = [
            key for key in known if named[key].default is inspect.Parameter.empty and key not in keywords
        ]
        if unknown or missing:
            needs = f"takes {', '.join(known)}" if known else "takes no settings"
            wrong = [f"not {key}" for key in unknown] + [f"{key} is missing" for key in missing]
            raise AgentError(f"agent {name} {needs}: {', '.join(wrong)}")
    for key, value in keywords.items():
        if isinstance(value, str) and key in named:
            keywords[key] = _typed(name, key, value, named[key].default)
    if "seed" in named:
        keywords["seed"] = seed
    return keywords


def _typed(name: str, key: str, value: str, default: object) -> object:
    """A setting given as text as what its default is."""
    try:
        if isinstance(default, bool):
            return _TRUTHS[value.strip().lower()]
        if isinstance(default, int | float):
            return type(default)(value)
    except (KeyError, ValueError):
        kind = {bool: "true or false", int: "a whole number"}.get(type(default), "a number")
        raise AgentError(f"agent {name}: {key} must be {kind}, not {value!r}") from None
    return value


def _is_file(place: str) -> bool:
    return place.endswith(".py") or "/" in place or os.sep in place


def _find(place: str, name: str) -> object:
    """What stands under a name in a module or file."""
    module = _run_file(Path(place)) if _is_file(place) else _import(place)
    found: object = module
    for part in name.split("."):
        if not hasattr(found, part):
            there = [
                key
                for key, value in vars(module).items()
                if hasattr(value, "begin") and getattr(value, "__module__", "") == module.__name__
            ]
            raise AgentError(
                f"{place} has no {name}" + (f"; its factories are {', '.join(there)}" if there else "")
            )
        found = getattr(found, part)
    return found


def _import(place: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as problem:
        if problem.name is None or not f"{place}.".startswith(f"{problem.name}."):
            raise AgentError(_told(place, problem)) from problem
        raise AgentError(
            f"no module {place!r} in {here} or among the installed ones; a file is named with its path: "
            f"path/to/{place.rpartition('.')[2]}.py:Factory"
        ) from None
    except Exception as problem:
        raise AgentError(_told(place, problem)) from problem


def _run_file(path: Path) -> ModuleType:
    """A file as a module under a name of its own, its neighbors importable as if it were run."""
    if not path.is_file():
        raise AgentError(f"{path}: no such file; an agent of one's own is named {HOW_TO_NAME}")
    name = f"own_agent_{path.stem}_{blake2b(str(path).encode('utf-8', 'surrogateescape'), digest_size=4).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"{path}: no Python file; an agent of one's own is named {HOW_TO_NAME}")
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        del sys.modules[name]
        raise AgentError(_told(str(path), problem)) from problem
    return module


def _make(found: object, reference: str, seed: int, settings: Mapping[str, Any]) -> AgentFactory:
    """The factory: what was found, or what comes of calling it."""
    made = found
    if callable(found) and (isinstance(found, type) or not hasattr(found, "begin")):
        if isinstance(found, type) and not hasattr(found, "begin"):
            raise AgentError(
                f"{reference} is a class without begin(episode), so its instances are no agent factories; a factory has "
                "name (a text), settings (a dict of JSON values) and begin(episode), which returns an agent"
            )
        keywords = fitting(reference, found, seed, settings)
        try:
            made = found(**keywords)
        except AgentError:
            raise
        except Exception as problem:
            raise AgentError(_told(reference, problem)) from problem
    elif settings:
        raise AgentError(
            f"{reference} is a factory already and takes no settings: not {', '.join(sorted(settings))}"
        )
    try:
        return checked_factory(made, reference)
    except TypeError as problem:
        raise AgentError(str(problem)) from None


def _told(place: str, problem: Exception) -> str:
    """What went wrong in somebody's code, with the line where it did."""
    if isinstance(problem, SyntaxError):
        return f"{place}: {problem.msg} (line {problem.lineno})"
    frames = traceback.extract_tb(problem.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{place}: {type(problem).__name__}: {problem}{where}"

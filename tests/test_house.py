"""The rules of the house: who may import whom, what an import costs, and where the protocol's numbers stand."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import agenthop_env

PACKAGE = Path(agenthop_env.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

CORE = {"records", "rules", "text"}
DATA = CORE | {"corpus", "worlds"}
PLAY = DATA | {"scoring", "sandbox", "actions"}
RUN = PLAY | {"envs", "agents", "diagnostics", "evaluation"}
MAY_IMPORT: dict[str, set[str]] = {
    "_version": set(),
    "rules": set(),
    "records": {"rules"},
    "text": {"rules", "records"},
    "corpus": CORE,
    "worlds": CORE | {"corpus"},
    "scoring": DATA,
    "actions": CORE,
    "sandbox": DATA | {"scoring", "actions"},
    "envs": PLAY,
    "agents": PLAY,
    "diagnostics": CORE | {"scoring", "corpus"},
    "reports": CORE | {"diagnostics"},
    "construction": CORE | {"corpus"},
    "evaluation": PLAY | {"envs", "agents", "diagnostics", "_version"},
    "demonstrations": PLAY | {"agents", "diagnostics", "evaluation"},
    "integrations": RUN | {"_version"},
    "studio": RUN | {"reports", "construction", "_version"},
    "command": {"cli"},
    "cli": RUN | {"demonstrations", "reports", "construction", "integrations", "studio", "_version"},
}
"""Imports point one way; a room may import the rooms named here, and itself."""

EXTRAS = (
    "torch", "transformers", "trl", "vllm", "openai", "gradio", "pandas", "matplotlib", "typer", "rich",
    "huggingface_hub", "platformdirs", "httpx", "requests", "anthropic", "datasets", "accelerate", "psutil",
)  # fmt: skip
"""What `import agenthop_env` must not pull in; each is imported where it is used."""

LINES_AT_MOST = 500
STILL_LONG: set[str] = set()
"""To be divided; nothing is to be added here."""

RULE_BEARING = ("records", "text", "corpus", "scoring", "sandbox", "actions")


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def place_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Modules that a file imports, wherever it does so, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            assert node.module
            yield node.lineno, node.module
            for name in node.names:
                yield node.lineno, f"{node.module}.{name.name}"
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name


def test_imports_point_one_way() -> None:
    rooms = {room_of(path) for path in MODULES}
    wrong = []
    for path in MODULES:
        room = room_of(path)
        if room == "__init__":
            continue  # the few names that users import come from everywhere
        assert room in MAY_IMPORT, f"{room} has no place in the house yet; say in MAY_IMPORT what it may know"
        for line, module in imports(path):
            parts = module.split(".")
            if (
                parts[0] == "agenthop_env"
                and len(parts) > 1
                and parts[1] in rooms - MAY_IMPORT[room] - {room}
            ):
                wrong.append(f"{place_of(path)}:{line}: {room} may not import {parts[1]}")
    assert wrong == []


def test_the_map_of_imports_has_no_circle() -> None:
    def reached(room: str, seen: frozenset[str]) -> None:
        assert room not in seen, f"a circle through {room}"
        for other in MAY_IMPORT.get(room, ()):
            reached(other, seen | {room})

    for room in MAY_IMPORT:
        reached(room, frozenset())


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    return done.stdout.strip()


def test_importing_the_package_imports_no_extra() -> None:
    found = run_python(
        f"import sys, agenthop_env\nprint(*[name for name in {EXTRAS!r} if name in sys.modules])"
    )
    assert found == ""


def test_opening_and_playing_needs_no_extra(release_folder: Path) -> None:
    found = run_python(
        "import sys\nfrom agenthop_env import Episode, ToolCall, open_corpus, replay\n"
        f"episode = Episode(open_corpus({str(release_folder)!r}), 'st_0001')\n"
        "episode.turn('', [ToolCall('submit_answer', {'option': 'B'})])\n"
        "assert replay(episode.record(), episode.corpus).correct\n"
        f"print(*[name for name in {EXTRAS!r} if name in sys.modules and name != 'platformdirs'])"
    )
    assert found == ""


def test_no_module_is_longer_than_it_should_be() -> None:
    long = {
        place_of(path)
        for path in MODULES
        if len(path.read_text(encoding="utf-8").splitlines()) > LINES_AT_MOST
    }
    assert long <= STILL_LONG


PROTOCOL_NUMBERS = {20, 30, 300, 200_000}
OTHER_MEANINGS = {("sandbox/tools.py", "_DIGITS_READ")}
"""Constants of the rule-bearing rooms that happen to have a protocol number's value."""


def numbers_in(tree: ast.AST, place: str) -> Iterator[tuple[int, int]]:
    """Whole numbers that a module writes out, with their lines; powers of two written as shifts are sizes."""
    excused = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if (place, node.target.id) in OTHER_MEANINGS:
                excused.add(id(node.value))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
            excused.add(id(node.right))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int and id(node) not in excused:
            yield node.lineno, node.value


def test_the_protocols_numbers_stand_in_rules_alone() -> None:
    wrong = []
    for path in MODULES:
        room, place = room_of(path), place_of(path)
        if room in ("rules", "worlds"):
            continue
        known = PROTOCOL_NUMBERS if room in RULE_BEARING else {200_000}
        for line, number in numbers_in(ast.parse(path.read_text(encoding="utf-8")), place):
            if number in known:
                wrong.append(f"{place}:{line}: {number} belongs in rules.py")
    assert wrong == []


def test_no_other_module_prices_the_tools() -> None:
    wrong = []
    for path in MODULES:
        if room_of(path) == "rules":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Dict):
                continue
            for key, value in zip(node.keys, node.values, strict=True):
                if (
                    isinstance(key, ast.Constant)
                    and key.value in agenthop_env.rules.TOOL_NAMES
                    and isinstance(value, ast.Constant)
                    and type(value.value) is int
                ):
                    wrong.append(f"{place_of(path)}:{node.lineno}: prices of tools belong in rules.py")
    assert wrong == []


def test_every_room_says_what_it_is() -> None:
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert not text.strip() or ast.get_docstring(ast.parse(text)), (
            f"{path.relative_to(PACKAGE)} has no docstring"
        )


def test_public_names_are_those_of_the_design() -> None:
    for name in ("open_corpus", "Episode", "Limits", "ToolCall", "Usage", "parse_actions", "replay"):
        assert hasattr(agenthop_env, name)
        assert name in agenthop_env.__all__


def test_no_place_of_a_machine_stands_in_a_file() -> None:
    places = ("/work/", "/home/", "/root/", "/Users/")
    assert [
        place_of(path) for path in MODULES for place in places if place in path.read_text(encoding="utf-8")
    ] == []

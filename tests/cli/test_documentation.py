"""What README and docs say is so: their code runs as written, their commands run, their item is a complete one."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from agenthop_env import Episode, ToolCall, open_corpus
from agenthop_env.cli import app
from agenthop_env.corpus.release import FILES, LABELS_FILE, PAPERS_FILE, QA_FILE, write_release
from agenthop_env.corpus.validate import validate_release

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SYNTAX_ONLY = "<!-- needs more than this machine -->"
"""Stands before a block that needs a server, a GPU or the network."""

BEYOND_TESTS = {"docs/demonstrations.md"}
"""Pages whose code trains a model: read for syntax only. Their commands run all the same."""

SMALLER = {"5000": "40"}
"""Sizes in commands that would take a test too long."""

_BLOCK = re.compile(
    r"^(?P<before>[^\n]*\n\n)?```(?P<language>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)


class Block(NamedTuple):
    language: str
    code: str
    line: int
    syntax_only: bool


def blocks(page: Path, *languages: str) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("code"))
        marked = SYNTAX_ONLY in (match["before"] or "")
        marked |= match["language"] == "python" and name_of(page) in BEYOND_TESTS
        found.append(Block(match["language"], match["code"], line, marked))
    return [block for block in found if block.language in languages]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name_of)
def test_python_blocks_run_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "documentation"}
    for block in blocks(page, "python"):
        code = compile("\n" * block.line + block.code, name_of(page), "exec")
        if not block.syntax_only:
            exec(code, namespace)


def commands(page: Path) -> list[list[str]]:
    """The `agenthop` commands of a page that need no network, in order."""
    found = []
    for block in blocks(page, "sh", "bash", "console"):
        for line in block.code.splitlines():
            for part in line.removeprefix("$ ").split("&&"):
                for size, smaller in SMALLER.items():
                    part = part.replace(size, smaller)
                words = shlex.split(part, comments=True)
                if words[:1] == ["agenthop"] and words[1:3] != ["data", "pull"] and not block.syntax_only:
                    found.append(words[1:])
    return found


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=name_of)
def test_commands_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_example(tmp_path / "path" / "to" / "release")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for words in commands(page):
        if "--model" in words or "--config" in words:  # needs a server: its options must be there
            known = CliRunner().invoke(app, [words[0], "--help"], env={"COLUMNS": "200"}).output
            assert [word for word in words if word.startswith("--") and f"{word} " not in known] == []
            continue
        result = CliRunner().invoke(app, words, input="quit\n")
        assert result.exit_code == 0, f"{' '.join(words)}: {result.output} {result.exception}"


def write_example(folder: Path) -> Path:
    """The item of docs/data.md as a release."""
    rows: dict[str, list[object]] = {file: [] for file in FILES}
    text = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    text = text[text.index("## A complete item") :]
    for mark in re.finditer(
        r"^`(?P<file>[^`\s]+)`|^```json\n(?P<json>.*?)^```$", text, re.MULTILINE | re.DOTALL
    ):
        if mark["file"] in rows:
            file = mark["file"]
        elif mark["json"]:
            rows[file].append(json.loads(mark["json"]))
    return write_release(folder, *(rows[file] for file in FILES))  # type: ignore[arg-type]


def test_the_documented_item_is_complete(tmp_path: Path) -> None:
    folder = write_example(tmp_path / "release")
    assert validate_release(folder).found == []
    corpus = open_corpus(folder)
    episode = Episode(corpus, "st_0001")
    for name, arguments in (
        ("get_references", {"paper_id": "seed"}),
        ("read_section", {"paper_id": "gold", "section": "Results"}),
        ("submit_answer", {"option": "C"}),
    ):
        turn = episode.turn("", [ToolCall(name, arguments)])
        assert turn.results[0].outcome == "ok"
    record = episode.record()
    assert (record.correct, record.paper_recall, record.section_recall) == (True, True, True)


def table(heading: str) -> dict[str, str]:
    """Fields of a file as docs/data.md lists them, with `required`, `expected` or nothing."""
    text = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    start = text.index(f"\n`{heading}`\n\n| field")
    fields = {}
    for line in text[start:].split("\n\n")[1].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for field in re.findall(r"`([^`]+)`", cells[0]):
            fields[field] = cells[2].split(",")[0]
    return fields


def test_documented_fields_are_as_required_as_they_say(tmp_path: Path) -> None:
    write_example(tmp_path / "whole")
    row = json.loads((tmp_path / "whole" / QA_FILE).read_text())
    for field, need in table(QA_FILE).items():
        folder = write_example(tmp_path / field)
        (folder / QA_FILE).write_text(
            json.dumps({key: value for key, value in row.items() if key != field}) + "\n"
        )
        problems = validate_release(folder)
        about = [problem.severity for problem in problems.found if problem.field == field]
        assert about == {"required": ["error"], "expected": ["warning"], "": []}[need], field


def test_all_fields_that_are_read_are_documented() -> None:
    from agenthop_env.corpus.hub import SCHEMA

    documented = {file: " ".join(table(file)) for file in FILES}
    for file, fields in SCHEMA.items():
        for field in fields:
            last = field.replace("[]", "").rpartition(".")[2]
            left_out = last in ("", "*", "seed", "tables", "name", "authorId") or (field.startswith("analysis.") and file == LABELS_FILE and "section_recall" not in field)  # fmt: skip
            assert left_out or last in documented[file], f"{file}: {field}"
    assert "sections[].text" in documented[PAPERS_FILE]


def test_readme_keeps_to_two_commands_for_setting_up() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("pip install") == 2


def test_readme_names_every_extra() -> None:
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [extra for extra in extras if f"`{extra}`" not in text] == []

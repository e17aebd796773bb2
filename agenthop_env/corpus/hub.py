"""Fetching the published data set, and telling how what was fetched differs from the release layout.

A pull resolves the revision first and downloads exactly that commit, so files of two revisions never mix; the mark
that names the copy is written last, so a copy without it is not complete and is never opened by its name.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha1, sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from agenthop_env.corpus.cache import cache_folder
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.release import (
    FILES,
    GRAPHS_FILE,
    LABELS_FILE,
    PAPERS_FILE,
    QA_FILE,
    decode_line,
    is_release,
    read_lines,
)
from agenthop_env.corpus.splits import PUBLISHED_MARK

PUBLISHED_NAME: Final = "nlpai-lab/agenthop"
EARLIER_NAMES: Final = {PUBLISHED_NAME: ("agenthop/agenthop",)}
"""Names that a data set had before; tried where the present one is not found."""

SCHEMA: Final[dict[str, dict[str, str]]] = {
    QA_FILE: {
        "id": "string",
        "question_type": "string",
        "depth": "number",
        "reasoning_type": "string",
        "cognitive_skill": "string",
        "venue": "string",
        "consensus_tier": "string",
        "question": "string",
        "options": "list",
        "options[]": "string",
        "correct_index": "number",
        "distractor_types": "list",
        "distractor_types[]": "string",
        "seed_paper_id": "string",
        "seed_arxiv_id": "string",
        "seed_title": "string",
        "gold_paper_ids": "list",
        "gold_paper_ids[]": "string",
        "gold_arxiv_ids": "list",
        "gold_arxiv_ids[]": "string",
        "bridge_paper_ids": "list",
        "bridge_paper_ids[]": "string",
        "bridge_arxiv_ids": "list",
        "bridge_arxiv_ids[]": "string",
        "filter_agreement": "any",
        "bridge_necessary": "any?",
    },
    GRAPHS_FILE: {
        "sample_id": "string",
        "seed": "any?",
        "contexts": "any?",
        "nodes": "object",
        "nodes.*": "object",
        "nodes.*.title": "string|null?",
        "nodes.*.arxivId": "string|null?",
        "nodes.*.year": "number|null?",
        "nodes.*.venue": "string|null?",
        "nodes.*.abstract": "string|null?",
        "nodes.*.authors": "list|null?",
        "nodes.*.authors[]": "object",
        "nodes.*.authors[].name": "string|null",
        "nodes.*.authors[].authorId": "any?",
        "edges": "object",
        "edges.*": "list",
        "edges.*[]": "string",
    },
    PAPERS_FILE: {
        "arxiv_id": "string",
        "title": "string|null",
        "sections": "list",
        "sections[]": "object",
        "sections[].header": "string",
        "sections[].text": "string",
        "tables": "any?",
    },
    LABELS_FILE: {
        "sample_id": "string",
        "analysis": "object",
        "analysis.section_recall_labels": "list",
        "analysis.section_recall_labels[]": "object",
        "analysis.section_recall_labels[].paper": "string",
        "analysis.section_recall_labels[].arxiv_id": "string",
        "analysis.section_recall_labels[].section": "string",
        "analysis.section_recall_labels[].relevance": "string",
        "analysis.section_recall_labels[].what_it_contains": "string",
        "analysis.answer_validity": "any?",
        "analysis.chain_coherence": "any?",
        "analysis.synthesis_check": "any?",
        "analysis.query_quality": "any?",
        "analysis.structural_integrity": "any?",
    },
}
"""Per file the fields of a row and their kinds: `[]` an entry of a list, `.*` a value of an object, `?` not always."""

ROWS_CHECKED: Final = 200
"""Rows of each file that the schema check looks at."""

_NAME: Final = re.compile(r"(?!\.)[\w.-]+/(?!\.)[\w.-]+")
_DATA_SUFFIXES: Final = (
    ".jsonl",
    ".json",
    ".parquet",
    ".arrow",
    ".csv",
    ".tsv",
    ".gz",
    ".zst",
    ".zip",
    ".tar",
)
_ESSENTIAL: Final = (QA_FILE, GRAPHS_FILE, PAPERS_FILE)
_LISTED: Final = 12


class PullReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a pull fetched.

    Attributes:
        name: Data set asked for.
        repo: Where it was found: the name itself, or an earlier one.
        revision: Branch, tag or commit asked for.
        sha: The commit fetched.
        folder: Where the copy lies.
        files: File -> bytes, of the files fetched.
        complete: Whether the copy can be opened; without, no mark was written.
        notes: What to know, such as an earlier name.
        differences: How the copy differs from the release layout, in plain words; empty where it does not.
    """

    name: str
    repo: str
    revision: str
    sha: str
    folder: Path
    files: dict[str, int]
    complete: bool
    notes: list[str]
    differences: list[str]


def pulled_folder(name: str) -> Path:
    """Where the pulled copy of a data set lies.

    Raises:
        CorpusError: If there is none; opening never downloads by itself.
    """
    folder = _folder_of(name)
    if not (folder / PUBLISHED_MARK).is_file() or not is_release(folder):
        raise CorpusError(
            f"{name} is neither a folder here nor a data set that was pulled; run `agenthop data pull {name}` to fetch it"
        )
    return folder


def pull(
    name: str = PUBLISHED_NAME,
    folder: str | os.PathLike[str] | None = None,
    revision: str | None = None,
    endpoint: str | None = None,
    progress: bool = True,
) -> PullReport:
    """Fetch a data set from the hub.

    What is there already and has not changed is not fetched again.

    Args:
        name: Data set, such as ``"nlpai-lab/agenthop"``.
        folder: Where to put it; by default the cache, where `open_corpus(name)` finds it.
        revision: Branch, tag or commit; by default the main branch.
        endpoint: Address of the hub; by default that of huggingface_hub (`HF_ENDPOINT`).
        progress: Whether to show progress bars.

    Raises:
        CorpusError: If the data set cannot be reached, found, or read without permission, or if fetching breaks off.
        ImportError: If huggingface_hub is not installed.
    """
    try:
        import huggingface_hub
    except ImportError:
        raise ImportError("fetching data needs huggingface_hub; pip install 'agenthop-env[hub]'") from None
    target = _folder_of(name) if folder is None else Path(folder)
    repo, info, notes = _find(huggingface_hub, name, revision, endpoint)
    listed = {entry.rfilename: entry for entry in info.siblings or ()}
    wanted = [file for file in FILES if file in listed]
    differences = _places(repo, list(listed))
    (target / PUBLISHED_MARK).unlink(missing_ok=True)  # from here on the copy is of no single revision
    if wanted:
        target.mkdir(parents=True, exist_ok=True)
        _download(huggingface_hub, repo, str(info.sha), target, wanted, endpoint, progress)
    for file in wanted:
        _check_content(target / file, listed[file])
    files = {file: (target / file).stat().st_size for file in wanted}
    complete = all(file in files for file in _ESSENTIAL)
    if complete:
        _write_mark(target, repo, revision or "main", str(info.sha))
    differences += schema_differences(target, wanted)
    return PullReport(
        name=name, repo=repo, revision=revision or "main", sha=str(info.sha), folder=target, files=files,
        complete=complete, notes=notes, differences=differences,
    )  # fmt: skip


def _folder_of(name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise CorpusError(
            f"{name!r} is no data set's name; one has the form owner/name, such as {PUBLISHED_NAME}"
        )
    return cache_folder() / "hub" / name


def _find(hub: Any, name: str, revision: str | None, endpoint: str | None) -> tuple[str, Any, list[str]]:
    """The repository of a data set, under its present or an earlier name."""
    api = hub.HfApi(endpoint=endpoint)
    names = (name, *EARLIER_NAMES.get(name, ()))
    refused: CorpusError | None = None
    for repo in names:
        try:
            info = api.dataset_info(repo, revision=revision, files_metadata=True)
        except Exception as problem:
            if not isinstance(problem, hub.errors.RepositoryNotFoundError) or isinstance(
                problem, hub.errors.GatedRepoError
            ):
                raise _explained(hub, problem, repo, revision) from problem
            refused = refused or _explained(hub, problem, repo, revision)
            continue
        notes = [] if repo == name else [f"{name} was not found; fetched under its earlier name {repo}"]
        return repo, info, notes
    assert refused is not None
    if len(names) > 1:
        raise CorpusError(
            f"{refused}; nor was it found under its earlier name {', '.join(names[1:])}"
        ) from None
    raise refused from None


def _explained(hub: Any, problem: Exception, repo: str, revision: str | None) -> CorpusError:
    """An error of the hub in plain words, with the remedy."""
    errors = hub.errors
    status = getattr(getattr(problem, "response", None), "status_code", None)
    if isinstance(problem, errors.GatedRepoError) or status == 403:
        return CorpusError(
            f"{repo}: access is refused ({status}); accept its terms on its page and log in with `hf auth login`, or set HF_TOKEN"
        )
    if isinstance(problem, errors.RevisionNotFoundError):
        return CorpusError(f"{repo}: no revision {revision!r}; name a branch, a tag or a commit of it")
    if isinstance(problem, errors.RepositoryNotFoundError) or status in (401, 404):
        hint = " or private: log in with `hf auth login`, or set HF_TOKEN" if status == 401 else ""
        return CorpusError(f"{repo}: not found on the hub ({status}){hint}")
    if isinstance(problem, errors.OfflineModeIsEnabled):
        return CorpusError(f"{repo}: huggingface_hub is in offline mode; unset HF_HUB_OFFLINE to fetch it")
    if status is not None:
        return CorpusError(f"{repo}: the hub answered with status {status}; try again later")
    return CorpusError(
        f"{repo}: the hub cannot be reached ({type(problem).__name__}: {problem}); check the connection"
    )


def _download(
    hub: Any, repo: str, sha: str, target: Path, files: list[str], endpoint: str | None, progress: bool
) -> None:
    utils = hub.utils
    quiet = not progress and not utils.are_progress_bars_disabled()
    if quiet:
        utils.disable_progress_bars()
    try:
        hub.snapshot_download(
            repo, repo_type="dataset", revision=sha, local_dir=target, allow_patterns=files, endpoint=endpoint
        )
    except Exception as problem:
        reason = f"{type(problem).__name__}: {str(problem).strip().splitlines()[0] if str(problem).strip() else ''}"
        raise CorpusError(
            f"{repo}: fetching broke off ({reason}); run the pull again, finished files are kept"
        ) from problem
    finally:
        if quiet:
            utils.enable_progress_bars()


def _check_content(path: Path, entry: Any) -> None:
    """Refuse a file that is not, to the byte, what the hub lists; an old one may have been left in its place."""
    size = path.stat().st_size if path.is_file() else 0
    if entry.size not in (None, size):
        raise CorpusError(f"{path}: {size:,} of {entry.size:,} bytes arrived; run the pull again")
    if entry.lfs is not None:
        wanted, digest = entry.lfs.sha256, sha256()
    elif entry.blob_id:
        wanted, digest = entry.blob_id, sha1(b"blob %d\0" % size, usedforsecurity=False)
    else:
        return
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != wanted:
        raise CorpusError(f"{path}: not the file that the hub has; remove it and run the pull again")


def _write_mark(folder: Path, repo: str, revision: str, sha: str) -> None:
    date = datetime.now(UTC).isoformat(timespec="seconds")
    part = folder / f"{PUBLISHED_MARK}.part"
    part.write_bytes(msgspec.json.encode({"repo": repo, "revision": revision, "sha": sha, "date": date}))
    os.replace(part, folder / PUBLISHED_MARK)


def _places(repo: str, listed: list[str]) -> list[str]:
    """Files of the layout that are not in their place, and what is there instead."""
    missing = [file for file in FILES if file not in listed]
    others = sorted(file for file in listed if file not in FILES and file.lower().endswith(_DATA_SUFFIXES))
    found = []
    for file in missing:
        name = file.rpartition("/")[2]
        stem, folder = name.partition(".")[0], file.partition("/")[0]
        elsewhere = [other for other in others if other.rpartition("/")[2] == name]
        near = [other for other in others if folder in other.split("/") or stem in other.rpartition("/")[2]]
        if elsewhere:
            found.append(f"{file} is not in its place; {repo} has {_list(elsewhere)}")
        elif parquet := [other for other in near if other.endswith(".parquet")]:
            found.append(f"{file} is not there as JSONL; {repo} has Parquet: {_list(parquet)}")
        elif near:
            found.append(f"{file} is not there; {repo} has {_list(near)}")
        else:
            found.append(f"{file} is not there, nor anything like it")
    if missing and others:
        found.append(f"data files of {repo} outside the layout: {_list(others)}")
    return found


def _list(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


def schema_differences(folder: Path, files: list[str] | tuple[str, ...] = FILES) -> list[str]:
    """How the rows of a release differ from the expected fields and kinds, in plain words.

    Args:
        folder: The release.
        files: Files of it to look at.
    """
    found: list[str] = []
    for file in files:
        if (folder / file).is_file():
            found += _Shape(file).read(folder).differences()
    return found


class _Shape:
    """Which fields of which kinds the rows of a file have."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.expected = {path: kinds.removesuffix("?") for path, kinds in SCHEMA[file].items()}
        self.needed = [
            path
            for path, kinds in SCHEMA[file].items()
            if not kinds.endswith(("?",)) and path[-1] not in "]*"
        ]
        self.kinds: dict[str, Counter[str]] = {"": Counter()}
        self.unread = 0

    def read(self, folder: Path) -> _Shape:
        for _, line in islice(read_lines(folder, self.file), ROWS_CHECKED):
            try:
                self._walk(decode_line(line), "")
            except ValueError:
                self.unread += 1
        return self

    def _walk(self, value: Any, path: str) -> None:
        self.kinds.setdefault(path, Counter())[_kind(value)] += 1
        if isinstance(value, list) and f"{path}[]" in self.expected:
            for entry in value:
                self._walk(entry, f"{path}[]")
        elif isinstance(value, dict) and f"{path}.*" in self.expected:
            for entry in value.values():
                self._walk(entry, f"{path}.*")
        elif isinstance(value, dict) and any(
            known.startswith(f"{path}." if path else "") for known in self.expected
        ):
            for name, entry in value.items():
                self._walk(entry, f"{path}.{name}" if path else str(name))

    def differences(self) -> list[str]:
        return list(self._differences())

    def _differences(self) -> Iterator[str]:
        rows = self.kinds[""]
        if self.unread:
            yield f"{self.file}: {self.unread} of {self.unread + sum(rows.values())} lines are not JSON"
        if not rows.total():
            yield f"{self.file}: no row to look at"
            return
        if others := {kind: count for kind, count in rows.items() if kind != "object"}:
            yield f"{self.file}: rows are objects, but {_counted(others)} stand there"
        for path in self.needed:
            parent = path.rpartition(".")[0]
            holders = self.kinds.get(parent, Counter())["object"]
            have = self.kinds.get(path, Counter()).total()
            if holders and not have:
                yield f"{self.file}: field {path} is missing"
            elif have < holders:
                yield f"{self.file}: field {path} is missing in {holders - have} of {holders}"
        for path, kinds in self.kinds.items():
            if not path:
                continue
            if path not in self.expected:
                yield f"{self.file}: field {path} is new ({', '.join(sorted(kinds))}); it is not used"
                continue
            allowed = self.expected[path].split("|")
            strange = {kind: count for kind, count in kinds.items() if kind not in allowed}
            if strange and allowed != ["any"]:
                yield f"{self.file}: field {path} should be {' or '.join(allowed)}, but {_counted(strange)} of {kinds.total()} stand there"


def _counted(kinds: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def _kind(value: Any) -> str:
    names = {dict: "object", list: "list", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")

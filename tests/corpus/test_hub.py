"""Fetching from a hub: a loopback server that answers as the hub does; nothing here reaches the network."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from releases import Release

from agenthop_env.corpus import hub
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.release import FILES, LABELS_FILE, PAPERS_FILE, QA_FILE
from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.splits import PUBLISHED_MARK

pytest.importorskip("huggingface_hub")

SHA = "0123456789abcdef0123456789abcdef01234567"
NAME, EARLIER = "nlpai-lab/agenthop", "agenthop/agenthop"


class Hub:
    """Repositories to serve, and how to misbehave."""

    def __init__(self) -> None:
        self.repos: dict[str, dict[str, bytes]] = {}
        self.sha = SHA
        self.refusals: dict[str, tuple[int, dict[str, str]]] = {}
        self.cut: dict[str, int] = {}  # file -> how often its body still breaks off half way
        self.requests: list[tuple[str, str]] = []
        self.url = ""

    def info(self, repo: str) -> dict[str, Any]:
        siblings = [
            {"rfilename": name, "size": len(data), "blobId": blob_id(data)}
            for name, data in self.repos[repo].items()
        ]
        return {
            "id": repo,
            "sha": self.sha,
            "siblings": siblings,
            "private": False,
            "tags": [],
            "downloads": 0,
        }

    def tree(self, repo: str) -> list[dict[str, Any]]:
        return [
            {"type": "file", "path": name, "size": len(data), "oid": blob_id(data)}
            for name, data in self.repos[repo].items()
        ]


def blob_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


class Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        hub = self.hub
        hub.requests.append((self.command, path))
        parts = path.strip("/").split("/")
        if parts[:2] == ["api", "datasets"]:
            repo, rest = "/".join(parts[2:4]), parts[4:]
            if self.refused(repo):
                return
            if rest[:1] == ["revision"] and rest[1] not in ("main", "v1", hub.sha):
                self.answer(404, b"{}", {"X-Error-Code": "RevisionNotFound"})
            elif rest[:1] == ["tree"]:
                self.answer(200, json.dumps(hub.tree(repo)).encode())
            else:
                self.answer(200, json.dumps(hub.info(repo)).encode())
        elif parts[:1] == ["datasets"] and parts[3:4] == ["resolve"]:
            repo, name = "/".join(parts[1:3]), "/".join(parts[5:])
            if self.refused(repo):
                return
            self.file(name, hub.repos[repo][name])
        else:
            self.answer(404, b"{}")

    def refused(self, repo: str) -> bool:
        if repo in self.hub.refusals:
            status, headers = self.hub.refusals[repo]
            self.answer(status, b"{}", headers)
            return True
        if repo not in self.hub.repos:
            self.answer(404, b"{}", {"X-Error-Code": "RepoNotFound"})
            return True
        return False

    def file(self, name: str, data: bytes) -> None:
        headers = {"ETag": f'"{blob_id(data)}"', "X-Repo-Commit": self.hub.sha}
        start = 0
        if self.command == "GET" and "Range" in self.headers:
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-").split("-")[0])
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        if self.command == "GET" and self.hub.cut.get(name, 0):
            self.hub.cut[name] -= 1
            self.answer(206 if start else 200, data[start:], headers, cut=True)
            return
        self.answer(206 if start else 200, data[start:], headers)

    def answer(
        self, status: int, body: bytes, headers: dict[str, str] | None = None, cut: bool = False
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.wfile.flush()
            self.close_connection = True


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    served = Hub()
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"hub": served}))
    served.url = f"http://127.0.0.1:{httpd.server_address[1]}"
    thread = threading.Thread(target=httpd.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    monkeypatch.setenv("AGENTHOP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # huggingface_hub waits between its tries
    yield served
    httpd.shutdown()
    httpd.server_close()


def release_files(tmp_path: Path, release: Release | None = None) -> dict[str, bytes]:
    folder = (release or Release()).write(tmp_path / "made")
    return {file: (folder / file).read_bytes() for file in FILES}


def pull(server: Hub, name: str = NAME, **settings: Any) -> hub.PullReport:
    return hub.pull(name, endpoint=server.url, progress=False, **settings)


def test_a_pull_fetches_the_four_files_and_marks_the_copy(server: Hub, tmp_path: Path) -> None:
    files = release_files(tmp_path)
    server.repos[NAME] = files | {"README.md": b"# read me", ".gitattributes": b""}
    report = pull(server)
    assert report.complete
    assert (report.repo, report.sha, report.revision, report.notes) == (NAME, SHA, "main", [])
    assert report.files == {file: len(data) for file, data in files.items()}
    assert {path.name for path in report.folder.iterdir() if not path.name.startswith(".")} == {
        "qa", "graphs", "paper_pool", "audit", PUBLISHED_MARK,
    }  # fmt: skip
    mark = json.loads((report.folder / PUBLISHED_MARK).read_text())
    assert (mark["repo"], mark["sha"], mark["revision"]) == (NAME, SHA, "main")
    assert mark["date"].startswith("20")
    assert hub.pulled_folder(NAME) == report.folder
    corpus = open_corpus(NAME)
    assert corpus.name == NAME
    assert {item.split for item in corpus} == {"test"}


def test_opening_never_downloads(server: Hub, tmp_path: Path) -> None:
    server.repos[NAME] = release_files(tmp_path)
    with pytest.raises(CorpusError, match=f"agenthop data pull {NAME}"):
        open_corpus(NAME)
    assert server.requests == []


def test_the_earlier_name_is_tried_where_the_first_is_not_found(server: Hub, tmp_path: Path) -> None:
    server.repos[EARLIER] = release_files(tmp_path)
    report = pull(server)
    assert (report.name, report.repo) == (NAME, EARLIER)
    assert EARLIER in report.notes[0]
    assert hub.pulled_folder(NAME) == report.folder


def test_neither_name_found(server: Hub) -> None:
    with pytest.raises(CorpusError, match=f"{NAME}: not found on the hub.*earlier name {EARLIER}"):
        pull(server)


def test_another_name_has_no_earlier_one(server: Hub) -> None:
    with pytest.raises(CorpusError, match="other/set: not found") as caught:
        pull(server, "other/set")
    assert "earlier" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "headers", "said"),
    [
        (401, {}, "log in with `hf auth login`, or set HF_TOKEN"),
        (403, {}, "access is refused.*hf auth login"),
        (403, {"X-Error-Code": "GatedRepo"}, "accept its terms"),
        (500, {}, "status 500; try again later"),
        (429, {}, "status 429; try again later"),
    ],
)
def test_a_refusal_is_told_in_plain_words(
    server: Hub, status: int, headers: dict[str, str], said: str
) -> None:
    server.refusals["own/set"] = (status, headers)
    with pytest.raises(CorpusError, match=said):
        pull(server, "own/set")


def test_an_unknown_revision(server: Hub, tmp_path: Path) -> None:
    server.repos[NAME] = release_files(tmp_path)
    with pytest.raises(CorpusError, match="no revision 'v9'"):
        pull(server, revision="v9")
    assert pull(server, revision="v1").revision == "v1"


def test_no_hub_there(server: Hub) -> None:
    with pytest.raises(CorpusError, match=r"cannot be reached.*check the connection"):
        hub.pull(NAME, endpoint="http://127.0.0.1:9", progress=False)


def test_offline_mode(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub
    from huggingface_hub.errors import OfflineModeIsEnabled

    def offline(*args: Any, **settings: Any) -> Any:
        raise OfflineModeIsEnabled("offline")

    monkeypatch.setattr(huggingface_hub.HfApi, "dataset_info", offline)
    with pytest.raises(CorpusError, match="unset HF_HUB_OFFLINE"):
        pull(server)


def test_without_huggingface_hub_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "huggingface_hub", None)
    with pytest.raises(ImportError, match=r"agenthop-env\[hub\]"):
        hub.pull(NAME)


def test_a_body_that_breaks_off_once_is_resumed(server: Hub, tmp_path: Path) -> None:
    server.repos[NAME] = release_files(tmp_path)
    server.cut[PAPERS_FILE] = 1
    report = pull(server)
    assert report.complete
    assert (report.folder / PAPERS_FILE).read_bytes() == server.repos[NAME][PAPERS_FILE]


def test_an_interrupted_pull_leaves_nothing_that_opens_and_the_next_one_ends_it(
    server: Hub, tmp_path: Path
) -> None:
    server.repos[NAME] = release_files(tmp_path)
    server.cut[PAPERS_FILE] = 1000
    with pytest.raises(CorpusError, match="run the pull again"):
        pull(server)
    with pytest.raises(CorpusError, match="agenthop data pull"):
        hub.pulled_folder(NAME)
    server.cut.clear()
    assert pull(server).complete
    assert open_corpus(NAME).ids


def test_an_interrupted_update_takes_the_old_mark_away(server: Hub, tmp_path: Path) -> None:
    server.repos[NAME] = release_files(tmp_path)
    pull(server)
    server.sha = "f" * 40
    server.repos[NAME] = release_files(tmp_path / "new", Release().only("st_0001"))
    server.cut[PAPERS_FILE] = 0
    server.cut[QA_FILE] = 1000
    with pytest.raises(CorpusError, match="run the pull again"):
        pull(server)
    with pytest.raises(CorpusError, match="agenthop data pull"):
        open_corpus(NAME)
    server.cut.clear()
    assert pull(server).sha == "f" * 40
    assert list(open_corpus(NAME).ids) == ["st_0001"]


def test_what_has_not_changed_is_not_fetched_again(server: Hub, tmp_path: Path) -> None:
    server.repos[NAME] = release_files(tmp_path)
    pull(server)
    server.requests.clear()
    assert pull(server).complete
    assert not [path for command, path in server.requests if command == "GET" and "/resolve/" in path]


def test_a_pull_into_a_folder(server: Hub, tmp_path: Path) -> None:
    server.repos[NAME] = release_files(tmp_path)
    report = pull(server, folder=tmp_path / "here")
    assert report.folder == tmp_path / "here"
    assert {item.split for item in open_corpus(tmp_path / "here")} == {"test"}  # the mark goes with it
    with pytest.raises(CorpusError):
        hub.pulled_folder(NAME)


def test_parquet_instead_of_jsonl_is_told(server: Hub) -> None:
    server.repos[NAME] = {
        "qa/train-00000-of-00001.parquet": b"PAR1",
        "data/papers.jsonl": b"{}\n",
        "README.md": b"",
    }
    report = pull(server)
    assert not report.complete
    told = "\n".join(report.differences)
    assert (
        "qa/full.jsonl is not there as JSONL; nlpai-lab/agenthop has Parquet: qa/train-00000-of-00001.parquet"
        in told
    )
    assert "paper_pool/papers.jsonl is not in its place; nlpai-lab/agenthop has data/papers.jsonl" in told
    assert "audit/recall_labels.jsonl is not there, nor anything like it" in told
    with pytest.raises(CorpusError):
        hub.pulled_folder(NAME)


def test_a_release_without_labels_can_be_opened_and_is_told(server: Hub, tmp_path: Path) -> None:
    files = release_files(tmp_path)
    del files[LABELS_FILE]
    server.repos[NAME] = files
    report = pull(server)
    assert report.complete
    assert report.differences[0] == f"{LABELS_FILE} is not there, nor anything like it"
    assert open_corpus(NAME).ids


def test_a_changed_schema_is_told_field_by_field(server: Hub, tmp_path: Path) -> None:
    release = Release()
    for row in release.qa:
        row["difficulty"] = "hard"
        del row["consensus_tier"]
        row["correct_index"] = "B"
    del release.papers[0]["title"]
    for row in release.labels:
        row["analysis"]["section_recall_labels"] = {"a": 1}
    server.repos[NAME] = release_files(tmp_path, release)
    told = pull(server).differences
    assert "qa/full.jsonl: field consensus_tier is missing" in told
    assert "qa/full.jsonl: field difficulty is new (string); it is not used" in told
    assert "qa/full.jsonl: field correct_index should be number, but 10 string of 10 stand there" in told
    assert "paper_pool/papers.jsonl: field title is missing in 1 of 6" in told
    assert any("analysis.section_recall_labels should be list, but 9 object of 9" in line for line in told)


def test_a_file_that_is_not_the_hubs_is_refused(
    server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the downloader left: the copy is compared with what the hub lists, to the byte."""
    server.repos[NAME] = release_files(tmp_path)
    path = pull(server).folder / QA_FILE
    path.write_bytes(path.read_bytes().replace(b"st_0001", b"st_9999"))
    monkeypatch.setattr(hub, "_download", lambda *args: None)
    with pytest.raises(CorpusError, match="remove it and run the pull again"):
        pull(server)
    path.write_bytes(b"")
    with pytest.raises(CorpusError, match=r"0 of [\d,]+ bytes arrived; run the pull again"):
        pull(server)
    with pytest.raises(CorpusError, match="agenthop data pull"):
        hub.pulled_folder(NAME)


@pytest.mark.parametrize("name", ["../evil", "a/..", "a/b/c", "a", "", "a/.b", "/etc/passwd"])
def test_a_name_never_leaves_the_cache(name: str) -> None:
    with pytest.raises(CorpusError):
        hub.pulled_folder(name)


def test_the_made_release_fits_the_schema(release_folder: Path) -> None:
    told = hub.schema_differences(release_folder)
    assert told == [
        "graphs/full.jsonl: field nodes.*.year should be number or null, but 10 string of 100 stand there",
    ]

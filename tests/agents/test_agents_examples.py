"""The examples run as they stand; the one for a server, against a small one that speaks the same protocol."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

needs_openai = pytest.mark.skipif(
    importlib.util.find_spec("openai") is None, reason="openai is not installed"
)


def run(*arguments: str) -> str:
    result = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_quickstart() -> None:
    told = run(str(EXAMPLES / "quickstart.py"))
    assert "ending answer" in told
    assert "Budget used: 7" in told
    assert run(str(EXAMPLES / "quickstart.py")) == told


def test_groups_of_rollouts() -> None:
    told = run(str(EXAMPLES / "grpo_groups.py"))
    assert run(str(EXAMPLES / "grpo_groups.py")) == told
    groups = [line for line in told.splitlines() if "advantages" in line]
    assert len(groups) == 2
    for line in groups:
        advantages = [float(number) for number in line.rpartition("[")[2].rstrip("]").split()]
        assert len(advantages) == 4
        assert abs(sum(advantages)) < 0.1
        assert max(advantages) > 0 > min(advantages)


def test_own_agent(tmp_path: Path) -> None:
    for workers in ("1", "2"):
        run(
            "-m", "agenthop_env.cli", "eval", "--agent", f"{EXAMPLES / 'own_agent.py'}:Factory", "--agent-option", "letter=C",
            "--data", "world:nano?items=4", "--workers", workers, "--output", str(tmp_path / workers),
        )  # fmt: skip
    lines = [sorted((tmp_path / one / "episodes.jsonl").read_text().splitlines()) for one in ("1", "2")]
    assert lines[0] == lines[1]
    for line in lines[0]:
        record = json.loads(line)
        assert (record["agent"], record["agent_settings"], record["letter"]) == (
            "one-read",
            {"letter": "C"},
            "C",
        )


def failing(*arguments: str) -> str:
    result = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=120,
    )
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


@needs_openai
def test_rollout_without_a_server_says_so_in_a_line() -> None:
    told = failing(
        str(EXAMPLES / "rollout_vllm.py"), "--model", "tiny", "--base-url", "http://127.0.0.1:9/v1"
    )
    assert told.startswith(
        "no server answers at http://127.0.0.1:9/v1; start one, or name it with --base-url"
    )


def test_rollout_without_its_client_names_the_extra(tmp_path: Path) -> None:
    script = (
        "import runpy, sys; sys.modules['openai'] = None; "
        f"sys.argv = ['rollout', '--model', 'm']; runpy.run_path({str(EXAMPLES / 'rollout_vllm.py')!r})"
    )
    told = failing("-c", script)
    assert told.startswith("openai is not installed; install the extra: pip install -e '.[openai]'")


class Server(BaseHTTPRequestHandler):
    """Chat completions: looks at the seed's references, then answers B."""

    requests: list[dict[str, Any]] = []  # noqa: RUF012

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(request)
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        name, arguments = ("think", {"thought": "hm"}) if turn == 0 else ("submit_answer", {"option": "B"})
        content = f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"
        message = {"role": "assistant", "content": content}
        usage = {"prompt_tokens": 1000 + turn, "completion_tokens": 10, "total_tokens": 1010 + turn}
        usage |= {"prompt_tokens_details": {"cached_tokens": 900}} if turn else {}
        body = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": usage,
        }
        data = json.dumps(body).encode()
        self.send_response(200 if self.path == "/v1/chat/completions" else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Server.requests.clear()
    serving = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=serving.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{serving.server_port}/v1"
    serving.shutdown()
    thread.join()
    serving.server_close()


@needs_openai
def test_rollout_with_a_server(server: str) -> None:
    told = run(str(EXAMPLES / "rollout_vllm.py"), "--model", "tiny", "--base-url", server, "--episodes", "2")
    lines = told.splitlines()
    assert len(lines) == 2
    assert all("answer, reward " in line for line in lines)
    assert all(line.endswith("0 points, 2021 tokens") for line in lines)
    assert [request["model"] for request in Server.requests] == ["tiny"] * 4
    assert [message["role"] for message in Server.requests[1]["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]

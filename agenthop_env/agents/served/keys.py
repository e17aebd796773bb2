"""Keys: read where they lie when a client is made, and taken out of everything that is said.

A key comes from an environment variable or a file, never as an argument: what pickles, is printed or recorded holds
the variable's name or the file's at most.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from agenthop_env.agents.protocol import AgentError

NO_KEY: Final = "EMPTY"
"""What a server without keys is sent."""

OWN_KEY: Final = "AGENTHOP_API_KEY"
"""Sent to any server that a base URL names."""

_HIDDEN: Final = "[key]"
_SHORTEST: Final = 6
_API_KEYS: Final = {
    "chat": ("OPENAI_API_KEY",),
    "responses": ("OPENAI_API_KEY",),
    "messages": ("ANTHROPIC_API_KEY",),
    "genai": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}
_HOST_KEYS: Final = {
    "api.openai.com": ("OPENAI_API_KEY",),
    "api.anthropic.com": ("ANTHROPIC_API_KEY",),
    "generativelanguage.googleapis.com": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "api.deepseek.com": ("DEEPSEEK_API_KEY",),
    "api.together.xyz": ("TOGETHER_API_KEY",),
    "openrouter.ai": ("OPENROUTER_API_KEY",),
    "api.fireworks.ai": ("FIREWORKS_API_KEY",),
    "api.groq.com": ("GROQ_API_KEY",),
    "api.mistral.ai": ("MISTRAL_API_KEY",),
    "api.x.ai": ("XAI_API_KEY",),
}


class KeySource(NamedTuple):
    """Where a key is to be read.

    Attributes:
        variables: Environment variables, the first that is set counts.
        file: File that holds nothing but the key, None for the variables.
        required: Whether the server certainly asks for one.
    """

    variables: tuple[str, ...]
    file: str | None = None
    required: bool = False

    def read(self) -> str:
        """The key, or `NO_KEY` where there is none and none is required.

        Raises:
            AgentError: If there is none and one is required, or the file cannot be read.
        """
        if self.file is not None:
            try:
                key = Path(self.file).expanduser().read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as problem:
                raise AgentError(
                    f"the key file {self.file} cannot be read ({type(problem).__name__})"
                ) from None
            if not key or any(letter.isspace() for letter in key):
                raise AgentError(f"the key file {self.file} must hold one key and nothing else")
            return key
        for name in self.variables:
            if os.environ.get(name, "").strip():
                return os.environ[name].strip()
        if self.required:
            raise AgentError(f"no key: set {' or '.join(self.variables)}, or name a file with --api-key-file")
        return NO_KEY

    def redact(self, text: str) -> str:
        """A text without the key."""
        for key in self._known():
            text = text.replace(key, _HIDDEN)
        return text

    def _known(self) -> list[str]:
        try:
            keys = [self.read()]
        except AgentError:
            keys = []
        return [key for key in keys if key != NO_KEY and len(key) >= _SHORTEST]


def key_source(
    api: str, base_url: str | None, variable: str | None = None, file: str | os.PathLike[str] | None = None
) -> KeySource:
    """Where the key of a server is.

    A vendor's variable is read for that vendor's own host alone, so that no key reaches another server by accident:
    for any other base URL it is `AGENTHOP_API_KEY`, or what `variable` or `file` says.

    Args:
        api: `chat`, `responses`, `messages` or `genai`.
        base_url: The server, None for the vendor's own.
        variable: Environment variable to read instead.
        file: File to read instead.
    """
    if file is not None:
        return KeySource((), os.fspath(file), True)
    if variable is not None:
        return KeySource((variable,), None, True)
    if base_url is None:
        return KeySource(_API_KEYS[api], None, True)
    host = (urlsplit(base_url).hostname or "").lower()
    if host in _HOST_KEYS:
        return KeySource((*_HOST_KEYS[host], OWN_KEY), None, True)
    return KeySource((OWN_KEY,))


def checked_url(base_url: str) -> str:
    """A base URL as it may be recorded.

    Raises:
        AgentError: If it is none, or holds a password or a query, where keys hide.
    """
    try:
        parts = urlsplit(base_url.strip())
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise AgentError("the base URL cannot be read; write it like http://localhost:8000/v1") from None
    if parts.username or parts.password or parts.query or parts.fragment:
        raise AgentError(
            "the base URL holds a user, a password or a query, which would end in files; give keys by an environment "
            "variable or --api-key-file"
        )
    if parts.scheme not in ("http", "https") or not named:
        raise AgentError(f"{base_url!r} is no base URL; write it like http://localhost:8000/v1")
    return base_url.strip().rstrip("/")

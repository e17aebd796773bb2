"""Playing episodes against a loopback server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from loopback import Loopback, Respond
from policies import Said, Script, next_turn
from vendors import MODEL, VENDORS, Policy, Vendor

from agenthop_env.agents.served import ServedAgent, ServedFactory, make_served
from agenthop_env.corpus.store import Corpus
from agenthop_env.sandbox.episode import Episode

SDKS = {"chat": "openai", "responses": "openai", "messages": "anthropic", "genai": "google.genai"}
QUICK = {
    "request_seconds": 5.0,
    "total_seconds": 20.0,
    "first_wait": 0.001,
    "longest_wait": 0.01,
    "attempts": 6,
}


def needs(api: str) -> None:
    """Skip where an API's SDK is not installed."""
    pytest.importorskip(SDKS[api])


def policy_of(corpus: Corpus, scripts: dict[str, Script]) -> Policy:
    """The script of the item that a request is about, at its turn."""
    marks = {item_id: _mark(corpus, item_id) for item_id in scripts}

    def policy(text: str, chat: str) -> Said:
        item_id = next(item_id for item_id, mark in marks.items() if mark in text)
        script = scripts[item_id]
        turn = next_turn(chat)
        return script[turn] if turn < len(script) else Said("(the script is over)")

    return policy


def _mark(corpus: Corpus, item_id: str) -> str:
    import json

    return json.dumps(corpus.item(item_id).question, ensure_ascii=False)[1:-1]


def factory_for(vendor: Vendor, url: str, **settings: Any) -> ServedFactory:
    settings = {"retry": QUICK, "preset": False, **settings}
    return make_served(MODEL, vendor.base_url(url), vendor.api, **settings)


async def play_async(episode: Episode, agent: ServedAgent) -> Episode:
    """As the runner does."""
    while episode.ending is None:
        said = await agent.act_async(episode.messages, episode.tools)
        episode.turn(
            said.text,
            said.calls,
            said.usage,
            reasoning=said.reasoning,
            finish_reason=said.finish_reason,
            seconds=said.seconds,
        )
    return episode


def play_all(corpus: Corpus, factory: ServedFactory, item_ids: list[str], **settings: Any) -> list[Episode]:
    """Play items at once."""

    async def run() -> list[Episode]:
        episodes = [Episode(corpus, item_id, tool_mode=factory.tool_mode, **settings) for item_id in item_ids]
        try:
            return await asyncio.gather(*(play_async(one, factory.begin(one)) for one in episodes))
        finally:
            await factory.aclose()

    return asyncio.run(run())


def vendor(api: str, policy: Policy, **options: Any) -> Vendor:
    needs(api)
    return VENDORS[api](policy, **options)


def serve(respond: Respond) -> Loopback:
    return Loopback(respond)

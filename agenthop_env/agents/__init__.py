"""Policies: scripted agents, and the one protocol that served models join."""

from agenthop_env.agents.adapters import as_agent, as_async, as_batch, batch_of
from agenthop_env.agents.protocol import (
    Agent,
    AgentFactory,
    AsyncAgent,
    BatchAgent,
    ChatMessage,
    Message,
    Request,
    ToolSchema,
    play,
    play_turn,
)
from agenthop_env.agents.registry import AGENTS, AgentError, AgentKind, make_agent, register_agent
from agenthop_env.agents.transcript import Transcript, TranscriptEndError

__all__ = [
    "AGENTS",
    "Agent",
    "AgentError",
    "AgentFactory",
    "AgentKind",
    "AsyncAgent",
    "BatchAgent",
    "ChatMessage",
    "Message",
    "Request",
    "ToolSchema",
    "Transcript",
    "TranscriptEndError",
    "as_agent",
    "as_async",
    "as_batch",
    "batch_of",
    "make_agent",
    "play",
    "play_turn",
    "register_agent",
]

"""Expert demonstrations for supervised training: legal episodes of scripted experts, in chat format."""

from agenthop_env.demonstrations.loading import Chat, chat
from agenthop_env.demonstrations.mixture import DEFAULT_MIXTURE, HABITS, Habit, mixture
from agenthop_env.demonstrations.playing import Demonstration, World, generate
from agenthop_env.demonstrations.writing import FORMATS, HabitFigures, Manifest, Written, write

__all__ = [
    "DEFAULT_MIXTURE",
    "FORMATS",
    "HABITS",
    "Chat",
    "Demonstration",
    "Habit",
    "HabitFigures",
    "Manifest",
    "World",
    "Written",
    "chat",
    "generate",
    "mixture",
    "write",
]

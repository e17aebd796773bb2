"""What counts as delivered, recalled, correct."""

from agenthop_env.scoring.evidence import Credit as Credit
from agenthop_env.scoring.evidence import Evidence as Evidence

"""What episodes are played on."""

from agenthop_env.corpus.neighborhood import Neighborhood as Neighborhood
from agenthop_env.corpus.problems import CorpusError as CorpusError
from agenthop_env.corpus.sources import open_corpus as open_corpus
from agenthop_env.corpus.store import Corpus as Corpus

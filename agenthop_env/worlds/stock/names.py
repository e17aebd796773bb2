"""Stock for names: people, venues, coined words, title adjectives."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock import words

GIVEN: Final = words("""Ada Amara Anouk Arvid Bela Bojan Carla Chidi Dara Dilan Edda Elif Emeka Farid Fiona Goran Hana Henrik Ines
    Ismail Ivo Jana Joao Kaori Karim Lena Leif Lucia Mabel Mateo Mina Nadia Nils Noor Olga Oskar Paula Pavel Priya
    Quentin Rasmus Renata Rosa Samir Selin Soren Tara Tariq Tomas Uma Valter Vera Wanda Xenia Yara Yusuf Zora""")

FAMILY: Final = words("""Abara Adomeit Ahlgren Bakir Barros Bellweg Bianchi Borsuk Calder Castell Cermak Dahlin Danso Delorme Dragan
    Eklund Emont Eriksen Falk Fonseca Fujita Galt Garrigan Gessner Halvorsen Haraldt Hoshino Ibarra Ilves Jansky Jorro
    Kallas Kamara Keller Kimura Kovalik Laitinen Lambrecht Lindqvist Lozano Madsen Marchetti Mbeki Merten Moravec
    Nakano Ndiaye Nordahl Novotny Obermann Okonjo Olsen Ortega Paasonen Pellegrin Petrak Quist Radev Ransome Reinholt
    Riedel Sablon Salazar Sandoval Sereni Skov Sorel Stavrou Szabo Takeda Tanaka Thorsen Tremblay Ulrich Urbina Vacek
    Valdes Verhoeven Vitale Wachira Wallin Weiland Yamane Yilmaz Zabala Zeman Zielke""")

VENUES: Final = (
    "Conference on Applied Inference",
    "Symposium on Learning Systems",
    "Transactions on Measured Intelligence",
    "Workshop on Careful Evaluation",
    "Annual Meeting on Structured Prediction",
    "Journal of Practical Representation",
    "Conference on Data and Annotation",
    "Northern Conference on Machine Perception",
    "Letters in Statistical Computing",
    "Meeting on Reproducible Experiments",
)

ONSETS: Final = words("b br c ch d dr f g gr h j k kl l m n p pr qu r s sk st t tr v vr w z zh")
VOWELS: Final = words("a e i o u ae ei io ua")
CODAS: Final = words("l n r s x m nd rn lt sk th ll v k")
ENDINGS: Final = ("", "", "", "", "-2", "Net", "-X", "Base", "-S", "Former")

ADJECTIVES: Final = words("""Robust Sparse Lightweight Hierarchical Open Balanced Compact Scalable Adaptive Modular Multi-Source Careful
    Long-Range Uncertain Efficient Faithful Granular Seasonal Joint Layered Patient Selective Unified Weighted
    Transparent Coarse-to-Fine Streaming Incremental Contrastive Delayed""")

"""Stock for names: people, venues, coined words, title adjectives."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock import words

GIVEN: Final = words("""Ada Alva Amara Anouk Ansel Arvid Asta Bela Benno Bojan Brita Carla Chidi Ciro Dafne Dara Dilan Edda Eero Elif
    Elin Emeka Enzo Esra Fabio Farid Fiona Freya Goran Greta Hana Hanno Henrik Hilde Idris Ines Inga Ismail Ivo Jana
    Joao Jonas Kaito Kaori Karim Kira Lars Leif Lena Liv Lorenz Lucia Mabel Malik Mara Mateo Milan Mina Nadia Naim
    Nils Noor Nuria Odile Olga Omar Oskar Paula Pavel Petra Priya Quentin Rafael Ragna Rasmus Renata Rosa Rune Samir
    Saskia Selin Signe Soren Stella Svea Tara Tariq Thea Tomas Uma Ursula Valter Vera Viktor Wanda Wim Xenia Yara Yasmin
    Yusuf Zora""")

FAMILY: Final = words("""Abara Adomeit Agerskov Ahlgren Aldana Almeida Anders Arvola Baines Bakir Balint Barros Bastos Bellweg Berisha
    Bianchi Bjelke Borsuk Brandvold Brekke Bukowski Cabrera Calder Castell Cermak Chaudhry Cisse Claesson Corbeau Costigan
    Cvetko Dahlin Danso Delorme Demir Desta Dewitt Dragan Duarte Dufek Eklund Ekwueme Elgin Emont Engelke Eriksen Escobar
    Fabre Falk Farkas Fenwick Ferrand Fonseca Forsell Fujita Gable Galt Garrigan Gashi Gessner Gomide Grabar Guthrie
    Haase Halvorsen Haraldt Hashimoto Heikkila Hoshino Hruska Ibarra Idowu Ilves Imai Isaksen Ishida Jansky Jelinek Jorro
    Juhasz Kaldor Kallas Kamara Kapoor Keller Kimura Klepp Kovalik Krause Kuiper Laitinen Lambrecht Larrson Leclair
    Lindqvist Lombard Lozano Lukacs Lundgren Maalouf Madsen Malone Marchetti Mbeki Mehta Merten Mikkola Moravec Mosquera
    Nakano Nanda Ndiaye Nemeth Nordahl Novotny Nwosu Nyberg Obermann Odell Okonjo Olsen Onwudiwe Ortega Ostrander Paasonen
    Palmgren Pellegrin Petrak Pinheiro Plessis Popa Prochazka Quist Radev Ransome Rasool Reinholt Riedel Rocheford Rossetti
    Ruzicka Sablon Salazar Sandoval Sarkisian Schou Sereni Shimizu Skov Solheim Sorel Stavrou Strand Suleiman Szabo Takeda
    Tanaka Tarkka Teixeira Thorsen Tiwari Tremblay Tuominen Ulrich Urbina Uzun Vacek Valdes Vandal Verhoeven Vinter Vitale
    Voss Wachira Wallin Watanabe Weiland Wilmott Wojcik Yamane Yilmaz Yonas Zabala Zanetti Zeman Zielke Zupan""")

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
    "Forum on Learning and Measurement",
    "Journal of Computational Evidence",
    "Conference on Models and Their Users",
    "Proceedings on Open Data",
)

_VOWELS: Final = words("a e i o u y ea io")
_MEDIALS: Final = words("b d f g k l m n p r s t v z nd lt rm st mb rk ld nt rd ll nn ss br dr gr tr pl sk")

SYLLABLES: Final = (
    words("""b bl br c ch cl cr d dr f fl fr g gh gl gn gr h j k kl kn kr l m n p ph pl pr ps r rh s sc scr sh shr sk sl sm sn
    sp spl spr st str sv sw t th thr tr ts tw v vl vr w wh wr z zh zl"""),
    _VOWELS,
    _MEDIALS,
    _VOWELS,
    _MEDIALS,
    _VOWELS,
    words("b d g k l m n p r s t v x z th sk nd rd lm rn lt st rk nt ll ss ct ft mp rv ng sh"),
    ("", "a", "en", "ex", "is", "or", "um", "us", "o", "in", "al", "et", "er", "ia", "ix", "on"),
)
"""Sounds of a coined name: 34 bits. Consonants and vowels alternate, so that a name can be read in one way only."""

ADJECTIVES: Final = words("""Robust Sparse Lightweight Hierarchical Open Balanced Compact Scalable Adaptive Modular Multi-Source
    Large-Scale Long-Range Calibrated Efficient Faithful Fine-Grained Data-Centric Joint Layered Selective Unified Weighted
    Transparent Coarse-to-Fine Reliable Incremental Contrastive Low-Cost Interpretable Self-Supervised Practical""")

PLAIN_ADJECTIVES: Final = words("""Open Balanced Compact Scalable Multi-Source Large-Scale Fine-Grained Practical Reliable Transparent
    Unified Layered Modular Careful Extensible Low-Cost Versatile Lightweight""")
"""Adjectives of works that are not models."""

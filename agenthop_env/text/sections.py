"""Section names: how a policy's words find a section, and how labels are compared with headers.

The rules are the protocol's (section 2 there, "Section resolution"); they decide scores, so they are kept to the
letter and nothing here guesses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_ALIAS: Final = re.compile(r"\(?([A-Za-z]{1,3})\)?")
_APPENDIX: Final = re.compile(r"^apdx(?:_[a-z][\d.]*)?:\s*")
_ROMAN: Final = re.compile(r"^[ivxlcd]+(\.|-[a-z])?\s+")
_NUMBER: Final = re.compile(r"^[\d.]+\s*")
_DASHES: Final = str.maketrans(dict.fromkeys(":-\N{EN DASH}\N{EM DASH}", " "))
_SPACES: Final = re.compile(r"\s+")


def normalize(header: str) -> str:
    """The part of a header that names the section: no numbering, no appendix prefix, one space between words.

    Args:
        header: A header, a query or a label, e.g. ``"Apdx_B2: IV. Set-up"``.

    Returns:
        Lower-case text, possibly empty, e.g. ``"set up"``.
    """
    text = header.lower().strip()
    text = _APPENDIX.sub("", text)
    text = _ROMAN.sub("", text)
    text = _NUMBER.sub("", text)
    return _SPACES.sub(" ", text.translate(_DASHES)).strip()


def alias(index: int) -> str:
    """Letter name of a section: 0 -> A, 25 -> Z, 26 -> AA, 27 -> AB, ...

    Raises:
        ValueError: If `index` is negative.
    """
    if index < 0:
        raise ValueError(f"a section index is 0 or more, not {index}")
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def alias_index(name: str) -> int | None:
    """Index that an alias such as ``B``, ``b`` or ``(B)`` stands for, None if `name` is no alias."""
    match = _ALIAS.fullmatch(name)
    if match is None:
        return None
    index = 0
    for letter in match[1].upper():
        index = index * 26 + ord(letter) - 64
    return index - 1


def resolve(query: str, headers: Sequence[str]) -> int | None:
    """Index of the section that `query` names, None where it names none or several.

    First match wins: alias, header ignoring case, normalized header, the one header that contains the query, the
    one normalized header that contains the normalized query.

    Args:
        query: What the policy wrote.
        headers: The paper's headers in order.
    """
    return resolve_prepared(
        query, [header.lower() for header in headers], [normalize(header) for header in headers]
    )


def resolve_prepared(query: str, lowered: Sequence[str], normalized: Sequence[str]) -> int | None:
    """As `resolve`, over headers prepared once: in lower case, and after `normalize`."""
    query = query.strip()
    if not query:
        return None
    index = alias_index(query)
    if index is not None and index < len(lowered):
        return index
    wanted = query.lower()
    if wanted in lowered:
        return lowered.index(wanted)
    name = normalize(query)
    if name and name in normalized:
        return normalized.index(name)
    found = _only(wanted, lowered)
    if found is None and name:
        found = _only(name, normalized)
    return found


def _only(part: str, texts: Sequence[str]) -> int | None:
    """Index of the one text that contains `part`, None where none or several do."""
    found = [index for index, text in enumerate(texts) if part in text]
    return found[0] if len(found) == 1 else None

"""When two texts, or two names, count as the same (M2, and what is unique in M13).

Promises one spelling for everything that Unicode compatibility and case folding hold alike. Leaves the
scope, kind, subject and purpose that also have to agree to the caller, and likeness to ``similar``.
"""

from __future__ import annotations

from unicodedata import normalize


def fold_name(name: str) -> str:
    """Answer the spelling under which a name is unique: NFKC and case folding, nothing else.

    Source: compatibility caseless matching, definition D146 of the Unicode Standard, composed at the end.
    """
    if name.isascii():
        return name.lower()
    # Two rounds: folding can undo a normalisation, and a normalisation can bring a letter to be folded.
    once = normalize("NFKD", normalize("NFD", name).casefold())
    return normalize("NFKC", once.casefold())


def same_text(text: str) -> str:
    """Answer the spelling under which a text is kept once (M2): folded, white space collapsed and trimmed.

    Terms of definitions are compared by the same spelling (M13).
    """
    return " ".join(fold_name(text).split())

r"""Text that cannot act on whoever looks at it (C9).

Promises that what comes out holds no control character, terminal escape, bidirectional override, zero-width
or other invisible character, line or paragraph separator or lone surrogate: each stands there by its number,
as ``\x1b`` or ``\u202e``. Leaves machine formats to the door that writes them.

A backslash in the text stays as it is, so a text that spells ``\x1b`` itself looks like one that holds it:
what is shown is for reading, and the JSON document is what is exact.
"""

from __future__ import annotations

# Invisible, though not of a category that says so: default-ignorable code points of Unicode 15.1
# (DerivedCoreProperties.txt) that are letters, marks or unassigned. U+FE0E and U+FE0F stay: they only choose
# how an emoji looks.
_INVISIBLE = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0D),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
)
# Controls, formats (bidirectional and zero-width ones too), surrogates, separators of lines and paragraphs.
_ACTING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def visible(text: str, *, newline: str = "\n", tab: str = "\t") -> str:
    r"""Show a text so that nothing in it acts on a terminal or hides from a reader.

    Args:
        text: any string, as it was remembered.
        newline: what stands for a line feed; a table cell gives ``↵`` or ``\n`` spelt out.
        tab: what stands for a tab.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join([_shown(character, newline, tab) for character in text])


def is_hidden(character: str) -> bool:
    """Whether one character acts on a terminal or cannot be seen; line feed and tab count as acting."""
    if " " <= character <= "~":
        return False
    number = ord(character)
    if any(first <= number <= last for first, last in _INVISIBLE):
        return True
    if character.isprintable():
        return False
    import unicodedata

    return unicodedata.category(character) in _ACTING


def _shown(character: str, newline: str, tab: str) -> str:
    if character == "\n":
        return newline
    if character == "\t":
        return tab
    return numbered(character) if is_hidden(character) else character


def numbered(character: str) -> str:
    r"""A character by its number, as Python spells it: ``\x1b``, ``\u202e``, ``\U000e0041``."""
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"

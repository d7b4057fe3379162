"""What a text that is no JSON should have had where it went wrong (RFC 8259), in words of this program.

Promises sentences without a word of the text: only the kind of the fault is read off the parser's message. Leaves
saying where it stands to the reader, which knows its lines.
"""

from __future__ import annotations

_SAID = (
    ("Expecting value", "a value is expected here: a text in double quotes, a number, true, false, null, { or ["),
    ("Expecting property name", "a field's name in double quotes is expected here"),
    ("Illegal trailing comma", "a value is expected after a comma"),
    ("Expecting ':'", "':' is expected after a field's name"),
    ("Expecting ','", "',' or a closing bracket is expected after a value"),
    ("Unterminated string", "a text is not closed by a double quote"),
    ("Invalid control character", "a line feed or another control character stands in a text; write it as \\n"),
    ("Invalid", "a backslash in a text begins none of JSON's escapes"),
    ("Extra data", "nothing is expected after the end of the value"),
)


def say_expected(fault: ValueError) -> str:
    """What was expected where the standard library's parser stopped.

    Args:
        fault: a ``json.JSONDecodeError``, or a ValueError for a number of too many digits.
    """
    message = str(getattr(fault, "msg", ""))
    return next((said for begins, said in _SAID if message.startswith(begins)), "a number is too long")

"""Terminal sessions in Markdown pages, read and compared.

How a page is written so that it is run:

- A block marked ``console`` is a session. A line that begins with ``$ `` is a command for ``sh``; it goes on
  in the next line where it ends with a backslash, or where that line begins with ``> ``. What follows, up to
  the next ``$ ``, is its answer: standard output, then standard error.
- ``console unrun`` shows a session that is not run: one that needs a server, a network, a terminal.
- A block marked with a language and a file's name (``yaml concierge.yaml``) writes that file first.
- ``<!-- $ oz0mem init … -->`` runs a command that the page does not show.
- A last line ``(exit 3)`` says that the command ends with that status; without it, it has to succeed.

One page is one home and one store, from top to bottom. The comparison is loose where truth is: blanks count
once; ``…`` in a line stands for anything, a line that is only ``…`` for any lines; the home is ``~``; a date
or a time stands for any; an id, shown whole, stands for the one that was made, and later commands of the page
use that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

FENCE = re.compile(r"^(?P<fence>```+)(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)\s*$", re.M | re.S)
HIDDEN = re.compile(r"^<!-- \$ (?P<line>.*?) -->$", re.M | re.S)
EXIT = re.compile(r"\(exit (\d+)\)")

_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK = r"\d\d:\d\d(?::\d\d)?(?:\.\d+)?"
_DATE = rf"(?:\d{{4}}-\d\d-\d\d(?:[T ]{_CLOCK}(?:Z|[+-]\d\d:\d\d)?)?|\d{{1,2}} {_MONTH} \d{{4}}(?: {_CLOCK})?)"
_ID = r"\b[a-z]{1,3}-[0-9a-f]{12,32}\b"
_WORDS = re.compile(rf"(?P<date>{_DATE})|(?P<id>{_ID})|(?P<any>…)|(?P<blank>\s+)")


class File(NamedTuple):
    """A file that a page shows and its commands read."""

    name: str
    text: str


class Command(NamedTuple):
    """A command of a page, what it is said to answer, and the status it is said to end with."""

    line: str
    answer: list[str] | None
    status: int


def read_page(text: str) -> list[File | Command]:
    """What a page does, in its order."""
    steps: list[tuple[int, File | Command]] = []
    for block in FENCE.finditer(text):
        kind, _, name = block["info"].strip().partition(" ")
        if kind == "console" and name != "unrun":
            steps += [(block.start(), command) for command in read_session(block["body"])]
        elif kind != "console" and name:
            steps.append((block.start(), File(name, block["body"])))
    steps += [(hidden.start(), Command(hidden["line"], None, 0)) for hidden in HIDDEN.finditer(text)]
    return [step for _, step in sorted(steps, key=lambda placed: placed[0])]


def read_session(body: str) -> Iterator[Command]:
    """The commands of one block, each with its answer."""
    line, answer = "", list[str]()
    for row in body.splitlines():
        if row.startswith("$ "):
            if line:
                yield close(line, answer)
            line, answer = row[2:], []
        elif not answer and (line.endswith("\\") or row.startswith("> ")):
            line += "\n" + row.removeprefix("> ")
        else:
            answer.append(row)
    if line:
        yield close(line, answer)


def close(line: str, answer: list[str]) -> Command:
    """A command as read, with the status taken off the end of its answer."""
    ended = EXIT.fullmatch(answer[-1].strip()) if answer else None
    return Command(line, answer[:-1] if ended else answer, int(ended[1]) if ended else 0)


def find_difference(answer: list[str], said: str, ids: dict[str, str]) -> str:
    """Compare an answer with what a page says of it.

    Args:
        answer: the page's lines.
        said: what the program wrote.
        ids: the page's ids and those that were made for them; new pairs are added.

    Returns:
        The first line of the page that nothing answers to, or of the program that the page does not tell of;
        empty where the two agree.
    """
    rest = [line for line in said.splitlines() if line.strip()]
    skipping = False
    for line in (line for line in answer if line.strip()):
        if line.strip() == "…":
            skipping = True
            continue
        while skipping and rest and not match_line(line, rest[0], ids):
            rest.pop(0)
        if not rest or not match_line(line, rest[0], ids):
            return f"page: {line}\nsaid: {rest[0] if rest else 'nothing more'}"
        rest.pop(0)
        skipping = False
    return f"page: nothing more\nsaid: {rest[0]}" if rest and not skipping else ""


def match_line(line: str, said: str, ids: dict[str, str]) -> bool:
    """Whether a line of the program is one that the page tells of; if so, its ids are kept."""
    pattern, names = "", list[str]()
    for word in split_line(line.strip()):
        pattern += word_pattern(word, ids, names)
    found = re.fullmatch(pattern, said.strip())
    if found:
        ids.update(zip(names, found.groups(), strict=True))
    return found is not None


def split_line(line: str) -> Iterator[str]:
    """A line's dates, ids, ellipses and blanks, and what stands between them."""
    at = 0
    for word in _WORDS.finditer(line):
        yield from filter(None, (line[at : word.start()], word[0]))
        at = word.end()
    yield from filter(None, (line[at:],))


def word_pattern(word: str, ids: dict[str, str], names: list[str]) -> str:
    """What may stand for a word of the page; an id that is met for the first time is added to ``names``."""
    kind = found.lastgroup if (found := _WORDS.fullmatch(word)) else ""
    if kind == "id" and word not in ids and word not in names:
        names.append(word)
        return f"({word.partition('-')[0]}-[0-9a-f]+)"
    if kind == "id":
        return re.escape(ids[word]) if word in ids else rf"\{names.index(word) + 1}"
    return {"date": _DATE, "any": ".*", "blank": r"\s+"}.get(kind or "", re.escape(word))


def use_ids(line: str, ids: dict[str, str]) -> str:
    """A command with the ids that were made in place of those that the page shows."""
    return re.sub(_ID, lambda found: ids.get(found[0], found[0]), line)

"""A certificate of erasure: a receipt's facts for a person to read and to file (L35).

Promises that it says nothing that the receipt does not prove without saying so, and that no name in it acts as markup.
The receipt itself stands at its end, so that one file can be filed and checked.
"""

from __future__ import annotations

import html as markup
from typing import TYPE_CHECKING, Any, NamedTuple

from oz0mem.views.escape import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oz0mem.actions.receipts import Receipt

_DEEDS = {
    "memory.forgotten": "forgotten: everything about the person",
    "memory.deleted": "deleted: single entries",
    "memory.rewritten": "rewritten: what entries said before",
    "memory.expired": "expired: entries at their end",
}
_BASES = {
    "request": "a request",
    "withdrawn-consent": "consent was withdrawn",
    "objection": "the person objected",
    "retention": "the time to keep it was over",
    "scim": "the person's account was removed",
    "admin": "an administrator decided",
    "rectification": "a correction",
}
_RESIDUES = {
    "none-found": "none found: the rows read back as zeros, the log was cut, the files were searched",
    "not-checked": "not checked: overwritten, and the files were not searched",
    "found": "found: something was still in the files after they were rewritten",
}
_METHOD = (
    "Texts, keys, tags, sources, reasons and words were overwritten in place with zeros of the same length, and so were"
    " the keys of commitments. On SQLite the write-ahead log was then cut to nothing, and the files were searched where"
    " the table says so. On PostgreSQL the server may keep earlier copies of a row until VACUUM FULL, and in its log,"
    " archives and replicas until these run out; that is why its check is always “not checked”."
)
_KEPT = (
    "ids, version numbers and times of the erased entries, and that they were erased: so that this can be proven",
    "the ledger's events, which hold no text, no name and no digest of either",
)
_MOST_IDS = 20


class _Table(NamedTuple):
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


_Part = str | list[str] | _Table
_Section = tuple[str, list[_Part]]


def markdown(receipt: Receipt) -> bytes:
    """The certificate as Markdown."""
    lines = [f"# {_marked(_title(receipt))}", ""]
    for title, parts in _sections(receipt):
        lines += [f"## {title}", ""]
        for part in parts:
            lines += [*_lines(part), ""]
    lines += ["## The receipt", "", "Save these lines as `receipt.json`.", "", "````json", _json(receipt), "````", ""]
    return "\n".join(lines).encode()


def html(receipt: Receipt) -> bytes:
    """The certificate as one HTML page, without scripts and without anything from elsewhere."""
    title = markup.escape(_title(receipt))
    body = [f"<h1>{title}</h1>"]
    for heading, parts in _sections(receipt):
        body.append(f"<h2>{markup.escape(heading)}</h2>")
        body += [_tagged(part) for part in parts]
    body += [
        "<h2>The receipt</h2>",
        "<p>Save these lines as <code>receipt.json</code>.</p>",
        f"<pre>{markup.escape(_json(receipt))}</pre>",
    ]
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    page = f'<!doctype html>\n<html lang="en">\n<head>{head}</head>\n<body>\n{_NEW.join(body)}\n</body>\n</html>\n'
    return page.encode()


_NEW = "\n"
_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{border:1px solid;padding:.3rem .5rem;text-align:left;vertical-align:top}"
    "pre{white-space:pre-wrap;word-break:break-all;font-size:.7rem}"
)


def _title(receipt: Receipt) -> str:
    return f"Certificate of erasure: {visible(receipt.about)}"


def _json(receipt: Receipt) -> str:
    # ASCII alone: whatever a name holds, it stands here as escapes, and a fence cannot be closed from inside.
    import json

    return json.dumps(receipt.document, indent=1)


def _sections(receipt: Receipt) -> list[_Section]:
    return [
        ("Whom and as of when", [_whom(receipt)]),
        ("What was erased", _erased(receipt)),
        ("How it was erased", [_METHOD]),
        ("What is kept, and why", [[*_KEPT, *receipt.kept]]),
        ("What this does not prove", [_not_proven(receipt)]),
        ("How to check it", _how(receipt)),
    ]


def _whom(receipt: Receipt) -> _Table:
    closing = receipt.document["records"][-1]["event"]
    head = receipt.head
    rows = [
        ("Data subject", visible(receipt.about)),
        ("Handle in the ledger", receipt.document["subject"]["handle"]),
        ("Ledger", head.ledger),
        ("As of", f"{closing['at']}, event {closing['index']}"),
        ("Issued by", _who(receipt, closing["actor"])),
        ("Records", f"{len(receipt.events)}, from 1 to {len(receipt.events)} without a gap"),
        ("Entries named in them", f"{len({each for event in receipt.events for each in event['entries']})}"),
        *_since(receipt),
        ("Head", f"{head.size} events, root {head.root}, signed by {' and '.join(head.keys)}"),
    ]
    return _Table(("What", "Is"), [(name, value) for name, value in rows])


def _since(receipt: Receipt) -> list[tuple[str, str]]:
    """What the receipt proves beside: that the ledger grew from a head that was handed out before."""
    since = receipt.document.get("since")
    return [("Grown from", f"a head of {since['size']} events that was handed out before")] if since else []


def _erased(receipt: Receipt) -> list[_Part]:
    if not receipt.events:
        return ["Nothing about this person was ever erased in this ledger."]
    heads = (
        "No.",
        "When (UTC)",
        "Who asked the program",
        "What",
        "Basis, as they gave it",
        "Entries",
        "Residue check",
        "Backups until",
    )
    rows = [
        (
            str(event["n"]),
            str(event["at"]),
            _who(receipt, event["actor"]),
            _DEEDS[event["action"]],
            _BASES[event["basis"]],
            _ids(event["entries"]),
            _RESIDUES[event["residue"]],
            "no backup was recorded" if event["backups_until"] == "none" else str(event["backups_until"]),
        )
        for event in receipt.events
    ]
    where = (
        "In every scope, state and version of the store that this ledger records, each entry by its id. An erasure of"
        " more than 256 entries makes several records."
    )
    return [where, _Table(heads, rows)]


def _ids(ids: Sequence[str]) -> str:
    if not ids:
        return "none; what stood beside entries: answers to calls, reasons, what jobs read"
    more = f" and {len(ids) - _MOST_IDS} more, all in the receipt" if len(ids) > _MOST_IDS else ""
    return f"{len(ids)}: {', '.join(ids[:_MOST_IDS])}{more}"


def _who(receipt: Receipt, actor: dict[str, Any]) -> str:
    ref = str(actor["ref"])
    name = receipt.actors.get(ref, "")
    if actor["kind"] in ("person", "service"):
        return f"{visible(name)} ({ref})" if name else ref
    return "the program itself, by the clock" if actor["kind"] == "system" else f"agent {ref}"


def _not_proven(receipt: Receipt) -> list[str]:
    return list(receipt.not_proven)


def _how(receipt: Receipt) -> list[_Part]:
    ledger = receipt.head.ledger
    steps = [
        "Save the receipt below as receipt.json.",
        f"Get head.pub.json, the public keys of {ledger}, from somebody you trust: keys with a receipt prove nothing.",
        "Run: oz0mem verify receipt.json --keys head.pub.json",
        "Or, alone, with Python 3.11 and the package cryptography: python verify.py receipt.json --keys head.pub.json",
        "verify.py is one file of the oz0mem package, oz0mem/verify.py.",
    ]
    if "since" in receipt.document:
        size = receipt.document["since"]["size"]
        steps.append(f"If you kept the head of {size} events, add --held head.txt: the ledger must extend it.")
    return [steps]


def _lines(part: _Part) -> list[str]:
    if isinstance(part, str):
        return [_marked(part)]
    if isinstance(part, list):
        return [f"- {_marked(each)}" for each in part]
    rows = [part.heads, tuple("---" for _ in part.heads), *(tuple(map(_marked, row)) for row in part.rows)]
    return [f"| {' | '.join(row)} |" for row in rows]


def _marked(text: str) -> str:
    """A text that Markdown shows as it is."""
    import re

    # A low line inside a word is no markup, and handles are to be copied.
    return re.sub(r"[\\`*{}\[\]<>#|~!&]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])", r"\\\g<0>", text)


def _tagged(part: _Part) -> str:
    if isinstance(part, str):
        return f"<p>{markup.escape(part)}</p>"
    if isinstance(part, list):
        return "<ul>" + "".join(f"<li>{markup.escape(each)}</li>" for each in part) + "</ul>"
    heads = "".join(f"<th>{markup.escape(each)}</th>" for each in part.heads)
    rows = "".join("<tr>" + "".join(f"<td>{markup.escape(each)}</td>" for each in row) + "</tr>" for row in part.rows)
    return f"<table><tr>{heads}</tr>{rows}</table>"

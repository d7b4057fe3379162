"""L35: a certificate says the receipt's facts for a person, and carries the receipt."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from oz0mem import verify
from oz0mem.actions import forget, imports, keys, receipts
from oz0mem.model.records import Record
from oz0mem.views import certificate
from tests.actions.evidence import place_hold

if TYPE_CHECKING:
    from oz0mem.actions.receipts import Receipt
    from tests.actions.world import World

NASTY = "d|a`n<b>a_[x](y)&amp;#"
"""A name that is markup, in every language that a certificate is written in."""


def remember(world: World, about: str) -> None:
    """Something about somebody who is no principal."""
    told = [Record(1, "likes ink", about=about, kind="semantic")]
    imports.import_records(world.ana, lambda: told, imports.Import())


def certified(world: World, about: str) -> Receipt:
    """A receipt with all that a certificate says."""
    return receipts.receipt(world.ana, about, certificate=True)


def test_it_says_who_when_why_what_how_and_what_it_does_not_prove(proven: World) -> None:
    """L35: asked, when, basis, erased, kept and why, method, residue, backups, not proven, how to check."""
    first = proven.learn("Dana ships to Lisbon")
    mention = proven.note("Parcels for dana wait at the gate")
    gone = forget.forget(proven.ana, "dana", "withdrawn-consent")
    made = certified(proven, "dana")
    said = certificate.markdown(made).decode()
    residue = "none found" if proven.store.back.name == "sqlite" else "not checked"
    for told in (
        "Certificate of erasure: dana",
        "ana (a_",
        made.events[0]["at"],
        "consent was withdrawn",
        first.entry.id,
        residue,
        "no backup was recorded",
        "had access here",
        mention.entry.id,
        "VACUUM FULL",
        "whether what was written was true",
        "verify.py receipt.json --keys head.pub.json",
        made.head.root,
        f"event {made.document['records'][-1]['event']['index']}",
    ):
        assert told in said, told
    assert gone.ids == [first.entry.id]


def test_what_keeps_a_name_is_said(proven: World) -> None:
    """L35, L4: a principal's stays, somebody else's until the window ends, and what a legal hold preserves."""
    remember(proven, "erin")
    remember(proven, "bob")
    place_hold(proven, about="bob")
    for name in ("dana", "erin", "bob"):
        forget.forget(proven.ana, name)
    kept = {name: " ".join(certified(proven, name).kept) for name in ("dana", "erin", "bob")}
    assert "had access here" in kept["dana"]
    assert "until 90 days after" in kept["erin"]
    assert "legal hold" in kept["bob"]


def test_the_receipt_in_it_holds(proven: World) -> None:
    """L35: the file alone can be checked, out of Markdown and out of HTML."""
    proven.learn("Dana ships to Lisbon")
    forget.forget(proven.ana, "dana")
    made = certified(proven, "dana")
    public = keys.public(proven.ana).encoded()
    [block] = re.findall(r"````json\n(.*?)\n````", certificate.markdown(made).decode(), re.S)
    [page] = re.findall(r"<pre>(.*?)</pre>", certificate.html(made).decode(), re.S)
    for text in (block, html.unescape(page)):
        assert verify.verify(text.encode(), public).records == 1
        assert json.loads(text) == made.document


class Tags(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag."""
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self.text += data


def test_a_name_acts_as_no_markup(proven: World) -> None:
    """C9, L35: neither in Markdown nor in HTML; there is no script and nothing from elsewhere."""
    remember(proven, NASTY)
    forget.forget(proven.ana, NASTY)
    made = certified(proven, NASTY)
    read = Tags()
    read.feed(certificate.html(made).decode())
    plain = "html head meta title style body h1 h2 p ul li table tr th td pre code"
    assert read.tags <= {*plain.split()}
    assert f"Certificate of erasure: {NASTY}" in read.text
    title = certificate.markdown(made).decode().splitlines()[0]
    assert re.sub(r"\\([^\w\s])|\\(_)", r"\1\2", title) == f"# Certificate of erasure: {NASTY}"
    assert not re.search(r"(?<!\\)[`<\[|_]", title)


@pytest.mark.parametrize("form", [certificate.markdown, certificate.html])
def test_that_nothing_was_erased_can_be_certified(proven: World, form: object) -> None:
    """L35, L30: a certificate of no records says so."""
    said = form(certified(proven, "dana")).decode()  # type: ignore[operator]  # one of two functions
    assert "Nothing about this person was ever erased in this ledger" in said


def test_many_ids_are_counted_and_all_in_the_receipt(proven: World) -> None:
    """L35: a table that can be read; the receipt at the end has each id."""
    ids = [proven.learn(f"Dana asked for parcel {number}").entry.id for number in range(30)]
    forget.forget(proven.ana, "dana")
    said = certificate.markdown(certified(proven, "dana")).decode()
    table, _, receipt = said.partition("## The receipt")
    assert "30: " in table and "and 10 more" in table
    assert all(each in receipt for each in ids)

"""What is asked for in a list: cursors, and words in any spelling or none (C2, C3, M1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oz0mem.actions import listing, recall
from oz0mem.model.filters import Filter
from tests.actions.evidence import refused

if TYPE_CHECKING:
    from tests.actions.world import World


@pytest.mark.parametrize("cursor", ["9" * 20 + "-1", "1-" + "9" * 20, "1", "-1", "1-", "１-1", "1-x"])
def test_a_cursor_that_no_page_gave_is_refused(world: World, cursor: str) -> None:
    """C2: a number too large for a store is no fault of the store's."""
    assert refused(lambda: listing.list_entries(world.ana, Filter(), after=cursor)).code == "list.cursor"


def test_a_key_a_tag_and_a_person_are_found_however_they_are_composed(world: World) -> None:
    """M1: what is kept in NFC is asked for in any form."""
    kept = world.note("Der Laden öffnet um acht", key="o\u0308ffnung", tags=("Ö",)).entry
    assert [entry.id for entry in listing.list_entries(world.ana, Filter(key=" o\u0308ffnung")).items] == [kept.id]
    found = recall.recall(world.ana, recall.Recall("laden", tag="O\u0308"))
    assert [hit.entry.id for hit in found.items] == [kept.id]


@pytest.mark.parametrize("name", ["agent", "about", "purpose", "key"])
def test_a_filter_that_is_no_text_fits_nothing(each_world: World, name: str) -> None:
    """C3: half of a surrogate pair, as an argument that is no UTF-8 has it, is no fault of the program's."""
    assert listing.list_entries(each_world.ana, Filter(**{name: "\udcff"})).items == []  # type: ignore[arg-type]  # tests name fields

"""``audit check --contents``: what stands beside versions and ledger is checked against them (L7, 4.5)."""

from __future__ import annotations

import pytest

from tests.actions.evidence import run_sql
from tests.actions.filled import Told, found, problems

BEHIND = [
    (
        "posting",
        "UPDATE posting SET n = n + 1 WHERE entry = {city}",
        "entry",
        "{city_id}",
    ),
    (
        "posting of a reason",
        "UPDATE posting SET n = n + 1 WHERE place = 0",
        "reason",
        "",
    ),
    (
        "posting gone",
        "DELETE FROM posting WHERE entry = {city}",
        "entry",
        "{city_id}",
    ),
    (
        "posting moved",
        "UPDATE posting SET place = {theirs_place} WHERE entry = {city}",
        "entry",
        "{city_id}",
    ),
    (
        "posting added",
        ("INSERT INTO posting SELECT 1, word, {city_place}, {city}, 1 FROM posting WHERE entry = {theirs} LIMIT 1"),
        "entry",
        "{city_id}",
    ),
    (
        "posting of nothing",
        "INSERT INTO posting SELECT 1, word, place, 999999, n FROM posting LIMIT 1",
        "posting",
        "999999",
    ),
    (
        "posting of an erased entry",
        "INSERT INTO posting SELECT 1, word, place, {erased}, n FROM posting LIMIT 1",
        "posting",
        "{erased}",
    ),
    (
        "word",
        "UPDATE word SET content = CAST('zebra' AS BLOB) WHERE content = CAST('porto' AS BLOB)",
        "word",
        "",
    ),
    (
        "word put back",
        "UPDATE word SET content = CAST('glass' AS BLOB) WHERE content = zeroblob(5)",
        "word",
        "",
    ),
    (
        "word hash",
        "UPDATE word_hash SET hash = hash + 1 WHERE word IN (SELECT word FROM posting)",
        "entry",
        "{city_id}",
    ),
    (
        "word hash gone",
        "DELETE FROM word_hash",
        "entry",
        "{city_id}",
    ),
    (
        "usage",
        "UPDATE usage SET entries = entries - 1",
        "usage",
        "agent:concierge",
    ),
    (
        "usage bytes",
        "UPDATE usage SET bytes = 0",
        "usage",
        "agent:concierge",
    ),
    (
        "usage gone",
        "DELETE FROM usage",
        "usage",
        "agent:concierge",
    ),
    (
        "place",
        "UPDATE place SET about = about + 1000 WHERE num = {city_place}",
        "entry",
        "{city_id}",
    ),
    (
        "project",
        "DELETE FROM within",
        "name",
        "project",
    ),
    (
        "name hash",
        "UPDATE name SET hash = hash + 1 WHERE num = {about}",
        "name",
        "person {about}",
    ),
    (
        "name fold",
        "UPDATE name SET fold = fold + 1 WHERE num = {about}",
        "name",
        "person {about}",
    ),
    (
        "name kind",
        "UPDATE name SET kind = 3 WHERE num = {about}",
        "entry",
        "{city_id}",
    ),
    (
        "name body",
        "UPDATE name SET body = (SELECT body FROM name WHERE num = {scope}) WHERE num = {about}",
        "entry",
        "{city_id}",
    ),
    (
        "name spelled anew",
        ("UPDATE body SET content = CAST('fred' AS BLOB) WHERE num = (SELECT body FROM name WHERE num = {about})"),
        "name",
        "person {about}",
    ),
    (
        "chain n",
        "UPDATE subject SET n = n + 1 WHERE num = {about}",
        "name",
        "person {about}",
    ),
    (
        "chain last",
        "UPDATE subject SET last = last - 1 WHERE num = {about}",
        "name",
        "person {about}",
    ),
    (
        "subject key",
        ("UPDATE body SET content = zeroblob(32) WHERE num = (SELECT key_body FROM subject WHERE num = {about})"),
        "name",
        "person {about}",
    ),
    (
        "reason",
        ("UPDATE body SET content = replace(content, 'she does', 'she is not') WHERE instr(content, 'she does')"),
        "reason",
        "",
    ),
    (
        "reason moved",
        "UPDATE reason SET event = event - 1",
        "reason",
        "",
    ),
    (
        "text",
        "UPDATE body SET content = replace(content, 'Porto', 'Paris') WHERE num = {city_body}",
        "entry",
        "{city_id}",
    ),
    (
        "text gone",
        "UPDATE body SET content = zeroblob(40) WHERE num = {city_body}",
        "entry",
        "{city_id}",
    ),
    (
        "body gone",
        "DELETE FROM body WHERE num = {city_body}",
        "entry",
        "{city_id}",
    ),
    (
        "version gone",
        "DELETE FROM version WHERE id = '{city_id}'",
        "entry",
        "{city_id}",
    ),
    (
        "another person's place",
        "UPDATE version SET place = {theirs_place}, about = {theirs_about} WHERE id = '{city_id}'",
        "entry",
        "{city_id}",
    ),
    (
        "place alone",
        "UPDATE version SET place = {theirs_place} WHERE id = '{city_id}'",
        "entry",
        "{city_id}",
    ),
    (
        "hidden as erased",
        "UPDATE version SET state = 5 WHERE id = '{city_id}'",
        "entry",
        "{city_id}",
    ),
    (
        "an erased text put back",
        ('UPDATE body SET content = CAST(\'{{"text":"Dana wears glasses"}}\' AS BLOB) WHERE num = {erased_body}'),
        "entry",
        "{erased_id}",
    ),
]
"""What is altered, how, of which sort the problem is, and where."""


@pytest.mark.parametrize(("statement", "what", "where"), [row[1:] for row in BEHIND], ids=[row[0] for row in BEHIND])
def test_whatever_is_altered_beside_the_records_is_found(told: Told, statement: str, what: str, where: str) -> None:
    """L7, 4.5: bodies, postings, words, names, places, counts, chains and reasons, each said where."""
    city, theirs, erased = told.city.numbers, told.theirs.numbers, told.erased.numbers
    facts = {
        "city": city.entry,
        "city_id": told.city.id,
        "city_place": city.place,
        "city_body": city.body,
        "about": city.about,
        "scope": city.scope,
        "theirs": theirs.entry,
        "theirs_place": theirs.place,
        "theirs_about": theirs.about,
        "erased": erased.entry,
        "erased_id": told.erased.id,
        "erased_body": erased.body,
    }
    run_sql(told.world, statement.format(**facts))
    assert found(told.world, what, where.format(**facts)), problems(told.world)

"""Principals: added, disabled, rotated, each with a reason and an event (G1, G3, G10, G11, G13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from oz0mem.actions import governance, principals
from oz0mem.actions.context import Context
from tests.actions.evidence import TOKEN, events, refused
from tests.actions.world import World


@pytest.fixture
def pair(tmp_path: Path) -> World:
    """A tenant that is nobody's alone: ana and bob govern it, so four eyes is on."""
    world = World(f"sqlite:///{tmp_path / 'pair.db'}", solo=False)
    world.bob = world.add("bob", "admin")  # type: ignore[attr-defined]  # for this fixture's tests
    return world


def bob_of(world: World) -> Context:
    """The second admin's context."""
    return world.bob  # type: ignore[attr-defined,no-any-return]  # set by the fixture


def changes(world: World) -> list[tuple[str, object, object]]:
    """Governance changes as the ledger tells them: what, from, to."""
    return [(told["what"], told.get("from"), told.get("to")) for told in events(world, "governance.changed")]


def test_a_tenant_opens_once_with_its_first_admins(tmp_path: Path) -> None:
    """G1, G13: opened by the program, two admins mean four eyes, and solo is told once for ever."""
    world = World(f"sqlite:///{tmp_path / 'solo.db'}")
    opened = events(world, "ledger.opened")[0]
    assert (opened["index"], opened["solo"], opened["actor"]["kind"]) == (0, True, "system")
    assert not principals.open_tenant(world.context(), [("eve", "eve's token")], solo=False)
    assert [one.name for one in principals.list_principals(world.ana)] == ["ana", "dana"]
    assert governance.show_settings(world.ana).settings.works_council is False


def test_adding_a_principal_is_told_by_handle_and_with_its_reason(each_world: World) -> None:
    """G10, L4: role recorded, the name and the reason's words nowhere in the ledger."""
    made = principals.add(each_world.ana, "bob", "reviewer", "bob helps on Mondays")
    assert made.changed and (made.principal.name, made.principal.role) == ("bob", "reviewer")
    told = events(each_world)[-1]
    assert (told["what"], told["from"], told["to"]) == ("principal", "absent", "reviewer")
    assert told["target"].startswith("a_") and told["reason_commit"].startswith("c_")
    assert "bob" not in str(told) and "Mondays" not in str(told)


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 1_001, f"because of {TOKEN}"])
def test_a_change_without_a_fit_reason_changes_nothing(world: World, reason: str) -> None:
    """G10, M8: no reason, a blank, too long or a secret; by every act on principals."""
    before = len(events(world))
    for act in (
        lambda: principals.add(world.ana, "bob", "member", reason),
        lambda: principals.disable(world.ana, "dana", reason),
        lambda: principals.rotate(world.ana, "dana", reason),
        lambda: governance.set_settings(world.ana, {"max_days": 100}, reason),
        lambda: governance.add_secret(world.ana, "swordfish-42", reason),
    ):
        refused(act)
    assert len(events(world)) == before


@pytest.mark.parametrize(
    ("name", "role", "code"),
    [
        ("dana", "member", "principal.exists"),
        ("bob", "root", "principal.role"),
        ("Bob", "member", "name.bad"),
        ("b ob", "member", "name.bad"),
        ("work", "member", "subject.reserved"),
        ("*", "member", "name.bad"),
    ],
)
def test_a_name_or_role_that_cannot_be_is_refused(world: World, name: str, role: str, code: str) -> None:
    """G1, G3: one name is one person."""
    assert refused(lambda: principals.add(world.ana, name, role, "to try")).code == code


def test_only_admins_change_principals_and_members_see_none(world: World) -> None:
    """G3: everybody may rotate their own token, and nobody else's."""
    for role in ("reviewer", "member", "auditor", "host"):
        other = world.add(f"a-{role}", role)
        for act in (
            lambda who=other: principals.add(who, "eve", "member", "to try"),
            lambda who=other: principals.disable(who, "dana", "to try"),
            lambda who=other: principals.rotate(who, "dana", "to try"),
        ):
            assert refused(act).code == "role.forbidden"
        sees = role in ("reviewer", "auditor")
        assert sees or refused(lambda who=other: principals.list_principals(who)).code == "role.forbidden"  # type: ignore[misc]  # bound now
        assert principals.rotate(other, f"a-{role}", "it is mine").token


def test_disabling_twice_writes_once(world: World) -> None:
    """G10: setting what is set is applied already."""
    assert principals.disable(world.ana, "dana", "left").changed
    before = len(events(world))
    assert not principals.disable(world.ana, "dana", "left").changed
    assert len(events(world)) == before
    assert changes(world)[-1] == ("principal", "active", "disabled")
    back = principals.rotate(world.ana, "dana", "came back")
    assert (back.principal.disabled, changes(world)[-2:]) == (
        False,
        [("principal", "disabled", "active"), ("token", "active", "changed")],
    )
    assert principals.whoami(world.context(back.token)).caller.name == "dana"
    assert refused(lambda: principals.disable(world.ana, "nobody", "left")).code == "principal.unknown"


def test_the_last_admin_cannot_be_disabled(world: World) -> None:
    """G13: nobody could govern any more."""
    outcome = refused(lambda: principals.disable(world.ana, "ana", "tired"))
    assert (outcome.code, outcome.rule) == ("principal.last_admin", "G13")
    world.add("bob", "admin")
    assert principals.disable(world.ana, "ana", "tired").changed


def test_a_second_admin_turns_four_eyes_on(pair: World) -> None:
    """G13: at once, by a change of its own; alone it was off."""
    assert changes(pair)[-2:] == [("principal", "absent", "admin"), ("four_eyes", "off", "on")]
    assert governance.show_settings(pair.ana).settings.four_eyes is True


def test_four_eyes_stays_off_in_a_solo_store(world: World) -> None:
    """G1, G13: one person may do both halves there, also where there are two admins."""
    world.add("bob", "admin")
    assert governance.show_settings(world.ana).settings.four_eyes is False
    assert refused(lambda: governance.set_settings(world.ana, {"four_eyes": True}, "to try")).rule == "G13"
    assert principals.rotate(world.ana, "bob", "it was seen").token


def test_the_last_two_admins_cannot_be_disabled_while_four_eyes_is_on(pair: World) -> None:
    """G13: by nobody, neither themself nor the other."""
    for who, name in ((pair.ana, "ana"), (pair.ana, "bob"), (bob_of(pair), "ana")):
        outcome = refused(lambda who=who, name=name: principals.disable(who, name, "tired"))  # type: ignore[misc]  # bound now
        assert (outcome.code, outcome.rule) == ("principal.last_admin", "G13")


def test_what_waits_for_another_admin_is_refused_until_changes_can_wait(pair: World) -> None:
    """G11: an added admin and another admin's token; what only tightens applies at once."""
    before = len(events(pair))
    for act in (
        lambda: principals.add(pair.ana, "eve", "admin", "to help"),
        lambda: principals.rotate(pair.ana, "bob", "it was seen"),
    ):
        outcome = refused(act)
        assert (outcome.code, outcome.rule) == ("change.needs_second", "G11")
    assert len(events(pair)) == before
    assert principals.rotate(pair.ana, "ana", "it was seen").token
    assert principals.rotate(bob_of(pair), "dana", "it was seen").token
    assert principals.add(bob_of(pair), "kim", "reviewer", "to help").token
    assert principals.disable(bob_of(pair), "kim", "left").changed

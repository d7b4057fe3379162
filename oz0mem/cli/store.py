"""The store and this program's own installation: made, tidied, upgraded, looked over (G1, G50, Q12)."""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem import wiring
from oz0mem.cli import exits, io, options, out, session
from oz0mem.cli.reasons import Uncalled, Yes
from oz0mem.model.errors import Oz0Error
from oz0mem.views import store as view


def init(
    admin: Annotated[
        list[str] | None,
        typer.Option("--admin", metavar="NAME", help="The first admin; twice for four eyes."),
    ] = None,
    solo: Annotated[bool, typer.Option("--solo", help="A store for one person, without four eyes.")] = False,
    origin: Annotated[
        str, typer.Option("--origin", metavar="O", help="The ledger's name, such as acme.example/oz0mem.")
    ] = "",
    reason: Uncalled = "",
    yes: Yes = False,
) -> None:
    """Make what is not there yet, and say where everything is."""
    del reason, yes
    settings = session.found()
    made = wiring.init(settings, admin or [], origin, solo=solo)
    out.emit(view.made(view.Place(*made)))
    io.finish()
    wiring.forget_first_tokens(settings, made)


def upkeep(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count, and change nothing.")] = False,
    compact: Annotated[
        bool,
        typer.Option("--compact", help="Then write the store's file anew, without zeros and gaps (SQLite)."),
    ] = False,
    reason: Uncalled = "",
    yes: Yes = False,
) -> int:
    """Do what is due."""
    from oz0mem.actions import upkeep as action
    from oz0mem.views import upkeep as shown

    del reason, yes
    kept = action.upkeep(session.context(), dry_run=dry_run, compact=compact)
    out.emit(shown.done(kept))
    return exits.WAITING if kept.open and not dry_run else exits.DONE


def upgrade(reason: Uncalled = "", yes: Yes = False) -> None:
    """Bring the schema up to date; asks, since an older program cannot read it then."""
    del reason
    settings = session.found()
    if wiring.upgrade_due(settings):
        io.agree("Bring the store to this program's schema, which an older one cannot read", yes=yes)
    out.emit(view.upgraded(wiring.upgrade(settings)))


def doctor(
    prove: Annotated[
        bool,
        typer.Option("--prove", help="Damage a copy of the store in many ways, and show what notices each."),
    ] = False,
) -> int:
    """Look the installation over; answers 1 where something needs to be done."""
    from oz0mem.actions import doctor as action

    if prove:
        return _prove()

    try:
        settings = session.found()
        lines = action.examine(wiring.context_of(settings), wiring.machine(settings))
    except Oz0Error as error:
        lines = [action.refused("configuration", error)]
    out.emit(view.looked_over(lines))
    return exits.DONE if all(line.ok for line in lines) else exits.FAULT


def _prove() -> int:
    """Damage a copy of the tenant; answers 8 where something was not noticed."""
    from oz0mem.actions import proving
    from oz0mem.cli.progress import Bar
    from oz0mem.views import proving as shown

    ctx, bar = session.context(), Bar()

    def tell(done: int, total: int) -> None:
        bar.total = total
        bar.show(done)

    try:
        found = proving.prove(ctx, wiring.copies(ctx), tell)
    finally:
        bar.clear()
    out.emit(shown.proof(found))
    return exits.DONE if found.holds else exits.UNVERIFIED


def show_config(
    origin: Annotated[bool, typer.Option("--origin", help="Where each value comes from, too.")] = False,
) -> None:
    """Show the settings of the program."""
    settings = session.found()
    given = {name: str(value).lower() for name, value in options.given().items() if name != "json"}
    values = {name: (value.value, value.origin) for name, value in settings.values.items()}
    values |= {name: (value, "option") for name, value in given.items()}
    told = {"token": "kept" if settings.token.value else "", "job": "given" if settings.job.value else ""}
    rows = [("profile", settings.profile, "option" if "profile" in given else "")]
    rows += [(name, *values.get(name, ("", ""))) for name in ("store", "tenant")]
    rows += [(name, *value) for name, value in sorted(values.items()) if name not in ("store", "tenant", "profile")]
    rows += [
        ("token", told["token"], settings.token.origin if settings.token.value else ""),
        ("job", told["job"], settings.job.origin if settings.job.value else ""),
    ]
    rows += [
        ("config", str(settings.folder / "config.toml"), ""),
        ("credentials", str(settings.credentials), ""),
    ]
    out.emit(view.configured(rows, origin=origin))

"""Principals and tokens: who may act here, and as whom this profile acts (G1, G3)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from oz0mem import wiring
from oz0mem.actions import principals
from oz0mem.cli import io, nearest, out, session
from oz0mem.cli.reasons import Reason, Uncalled, Yes
from oz0mem.model.errors import Invalid
from oz0mem.views import principals as view

if TYPE_CHECKING:
    from oz0mem.actions.context import Context

Name = Annotated[str, typer.Argument(metavar="NAME", help="Who; a short name such as dana.")]
Role = Annotated[str, typer.Option("--role", metavar="R", help="admin, reviewer, member, auditor or host.")]


def add(name: Name, role: Role, reason: Reason, yes: Yes = False) -> None:
    """Add a principal; its token is told once."""
    del yes
    out.emit(view.added(principals.add(session.context(), name, role, reason)))


def list_principals() -> None:
    """List the principals."""
    out.emit(view.listing(principals.list_principals(session.context())))


def disable(name: Name, reason: Reason, yes: Yes = False) -> None:
    """Disable a principal."""
    del yes
    ctx = session.context()
    with nearest.of_principals(ctx, name):
        out.emit(view.disabled(principals.disable(ctx, name, reason)))


def rotate(name: Name, reason: Reason, yes: Yes = False) -> None:
    """Give a principal a new token; one's own is kept in the credentials where the old one was."""
    del yes
    settings = session.found()
    context = session.context_of(settings)
    kept = settings.token.origin == str(settings.credentials) and _is_own(context, name)
    with nearest.of_principals(context, name):
        made = principals.rotate(context, name, reason)
    hint = f"it is kept in {settings.credentials}" if kept else f"{name} keeps it with: oz0mem login"
    # Told before it is kept: a full disk must not take the only token away.
    out.emit(view.rotated(made, hint))
    if kept:
        wiring.keep_token(settings, made.token)


def _is_own(context: Context, name: str) -> bool:
    caller = principals.whoami(context).caller
    return not caller.is_agent and caller.name == name


def login(
    source: Annotated[str, typer.Argument(metavar="[-]", help="- reads the token from stdin.")] = "",
    token_stdin: Annotated[bool, typer.Option("--token-stdin", help="Read the token from stdin.")] = False,
    reason: Uncalled = "",
    yes: Yes = False,
) -> None:
    """Check a token and keep it for this profile."""
    del reason, yes
    if source not in ("", "-"):
        raise Invalid(
            "login.argument",
            "a token on the command line would stand in the shell's history",
            hint="oz0mem login asks for it, or reads it from stdin: oz0mem login < token.txt",
            rule="G1",
        )
    settings = session.found()
    token = _token(asks=not (source or token_stdin))
    found = principals.whoami(wiring.context_of(settings)._replace(token=token, job=""))
    wiring.log_in(settings, token)
    out.emit(view.logged_in(found, str(settings.credentials)))
    if settings.token.origin == "variable":
        io.notice("OZ0MEM_TOKEN is set, and goes before what was kept")


def _token(*, asks: bool) -> str:
    if asks and io.is_terminal(sys.stdin):
        from getpass import getpass

        token = getpass("token: ", stream=sys.stderr)
    else:
        token = io.read_text("-")
    token = token.strip()
    if not token:
        raise Invalid("login.empty", "no token was given", hint="oz0mem login < token.txt", rule="G1")
    return token


def whoami() -> None:
    """Say who the caller is."""
    out.emit(view.whoami(principals.whoami(session.context())))

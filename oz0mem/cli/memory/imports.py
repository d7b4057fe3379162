"""``import``: a file of another program, read twice, written in batches (5-cli, Import; C6).

Promises a bar on a terminal's stderr and nowhere else, and that Ctrl-C says what was done. Leaves the formats
to the adapters and what may come in to the action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from oz0mem.cli import io, nearest, options, out, session
from oz0mem.cli.progress import Bar
from oz0mem.cli.reasons import Reason, Yes
from oz0mem.model.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

    from oz0mem.model.records import BadRecord, Record

    Records = Iterable[Record | BadRecord]
    Reader = Callable[[BinaryIO], Records]


def _forms(incomplete: str) -> list[str]:
    """The formats that a shell is offered."""
    from oz0mem import wiring

    return [form for form in wiring.FORMATS if form.startswith(incomplete)]


def import_file(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What to read; - reads stdin.")],
    form: Annotated[str, typer.Option("--from", metavar="FORMAT", help="jsonl or mem0.", autocompletion=_forms)],
    agent: Annotated[str, typer.Option(metavar="A", help="Whose memory it becomes; else import's.")] = "",
    scope: Annotated[str, typer.Option(metavar="S", help="Where work goes: tenant, agent:A or project:PATH.")] = "",
    reviewed: Annotated[
        bool, typer.Option("--reviewed", help="You have read it: it is active at once. Needs a reason.")
    ] = False,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad records out and go on.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Judge every record, and change nothing.")] = False,
    reason: Reason = "",
    yes: Yes = False,  # noqa: ARG001 - every command that changes something takes it (C5)
) -> None:
    """Bring in memories from another program."""
    from oz0mem import wiring
    from oz0mem.actions.imports import Import, import_records
    from oz0mem.views.imports import notices_of, show_imported

    if form not in wiring.FORMATS:
        raise Invalid("usage", "there is no such format", hint=f"--from {' or '.join(wiring.FORMATS)}")
    if reviewed and not reason.strip():
        raise Invalid("usage", "--reviewed says why", hint="--reviewed --reason '…'")
    ctx = session.context()
    bar = _Bar()
    opened = _opener(file, wiring.reader_of(form), bar)
    asked = Import(agent, scope, reviewed, reason, skip_bad, dry_run)
    try:
        with nearest.of_agents(ctx, agent):
            counts = import_records(ctx, opened, asked, bar.show)
    except KeyboardInterrupt:
        bar.clear()
        io.notice(f"{bar.done:,} records are in; the same file again brings in the rest")
        raise
    finally:
        bar.clear()
    if not options.current().quiet:
        for line in notices_of(counts):
            io.notice(line)
    out.emit(show_imported(counts, reviewed=reviewed))


def _opener(file: str, reader: Reader, bar: _Bar) -> Callable[[], Records]:
    """What reads the records from the beginning, each time that it is asked."""
    if file == "-":
        from io import BytesIO

        raw = io.read_file("-")
        return lambda: bar.count(reader(BytesIO(raw)))
    try:
        with open(file, "rb"):
            pass
    except OSError as problem:
        raise Invalid("input.file", f"{file} cannot be read: {problem.strerror}", path=file) from None
    except ValueError:
        raise Invalid("input.file", "no file can have that name") from None

    def records() -> Iterator[Record | BadRecord]:
        with open(file, "rb") as stream:
            yield from reader(stream)

    return lambda: bar.count(records())


class _Bar(Bar):
    """How far an import is: the first reading counts the records, the second is what the bar shows."""

    def __init__(self) -> None:
        super().__init__()
        self.counted = False

    def count(self, records: Records) -> Iterator[Record | BadRecord]:
        """Hand records on, and count them the first time."""
        first, self.counted = not self.counted, True
        for record in records:
            self.total += first
            yield record

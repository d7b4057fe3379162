"""The parser, made from the catalogue; a command's function is imported when it is resolved (Q1, C1, C8).

Promises that help of the root and of groups and completion of names import no command, that every command
takes the global options before and after it, and that ``oz0mem memory X`` is ``oz0mem X``. Leaves running to
the functions and errors to ``refusals``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from typer._click import Command as AnyCommand
from typer._click import Context, HelpFormatter, Parameter
from typer._types import TyperChoice
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.exceptions import Exit
from typer.main import get_command_from_info
from typer.models import CommandInfo

from oz0mem.cli import catalogue, exits, io, options, overview, pages
from oz0mem.cli.catalogue import Entry, Row
from oz0mem.model.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SETTINGS = {"help_option_names": ["-h", "--help"]}


class Command(TyperCommand):
    """A command that was loaded: its function's parameters, and the global options."""

    row: Row
    under: tuple[Row, ...] = ()

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help: in panels at a terminal that takes colours, else plain."""
        if not io.in_color(options.current().no_color):
            super().format_help(ctx, formatter)
            return
        from rich.markup import escape

        # Help is text: what looks like markup in it is meant as it stands.
        self.epilog = "\n\n".join(escape(line) for _, lines in pages.end(self.row) for line in lines)
        for parameter in self.params:
            if isinstance(parameter, TyperOption) and parameter.help:
                parameter.help = escape(parameter.help)
        self.rich_markup_mode = "rich"
        super().format_help(ctx, formatter)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write arguments and options, grouped, then the commands under this one."""
        pages.write_options(formatter, self.get_params(ctx), ctx)
        pages.list_commands(formatter, self.under)

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002 - the parser's own signature
        """Write the example and the exit codes."""
        for title, lines in pages.end(self.row):
            with formatter.section(title):
                for line in lines:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


class Stub(TyperCommand):
    """A command that is not loaded: its name and its line."""

    def __init__(self, row: Row) -> None:
        name = row.name.rpartition(" ")[2]
        super().__init__(name=name, help=row.line, hidden=row.hidden, rich_markup_mode=None)
        self.row = row


class Group(TyperGroup):
    """Commands under one word, some of them groups; loads the one that is asked for.

    Args:
        name: the word, or the program's name for the root.
        line: its line of help.
        commands: by name.
        own: the command that the word is by itself, if it is one.
        rows: the catalogue that the root's help shows; empty for a group below the root.
        hidden: answers, but is not listed.
    """

    def __init__(
        self,
        name: str,
        line: str,
        commands: dict[str, AnyCommand],
        *,
        own: Row | None = None,
        rows: tuple[Row, ...] = (),
        hidden: bool = False,
    ) -> None:
        parameters = [*_global_options(), *(_root_options() if rows else ())]
        super().__init__(
            name=name,
            help=line,
            commands=commands,
            params=parameters,
            context_settings=_SETTINGS,
            hidden=hidden,
            rich_markup_mode=None,
        )
        self.own = own
        self.rows = rows

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help: the root's is the overview."""
        if not self.rows:
            super().format_help(ctx, formatter)
        elif io.in_color(options.current().no_color):
            overview.show(self.rows)
        else:
            formatter.write(overview.plain(self.rows))

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        pages.write_options(formatter, self.get_params(ctx), ctx)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, AnyCommand | None, list[str]]:
        """Find the command that the first word names and load it."""
        name, rest = args[0], args[1:]
        command = self.commands.get(name)
        if command is None:
            if ctx.resilient_parsing:
                return None, None, rest
            raise _unknown(ctx, name, self.commands)
        return name, _ready(command, rest, ctx), rest

    def invoke(self, ctx: Context) -> Any:
        """Run the command that was named; without one, the word's own."""
        if ctx._protected_args:
            return super().invoke(ctx)
        if self.own is None:
            names = ", ".join(name for name, command in self.commands.items() if not command.hidden)
            raise Invalid("usage", f"{ctx.command_path} needs a command", hint=f"one of: {names}")
        command = load(self.own)
        with command.make_context(ctx.info_name, [], parent=ctx.parent) as own:
            return command.invoke(own)


def program(rows: tuple[Row, ...] = catalogue.ROWS) -> Group:
    """The whole parser; the commands answer under the hidden word ``memory`` too."""
    words = catalogue.entries(rows)
    commands = {entry.name: _stub(entry) for entry in words}
    # Runbooks of other programs say `memory list`; the same commands, mounted once more.
    again = {entry.name: _stub(entry) for entry in words}
    commands.setdefault("memory", Group("memory", "The same commands.", again, hidden=True))
    return Group("oz0mem", "", commands, rows=rows)


def invoke(program: Group, arguments: list[str]) -> int:
    """Parse and run one command line.

    Returns:
        What the command's function returned, or 0.
    """
    try:
        with program.make_context("oz0mem", arguments) as context:
            answer = program.invoke(context)
    except Exit as leaving:
        return leaving.exit_code
    return answer if isinstance(answer, int) else exits.DONE


def load(row: Row, under: tuple[Row, ...] = ()) -> Command:
    """Import a command's function and make its parser.

    Args:
        row: which command.
        under: commands that stand under the same word, for its help.

    Raises:
        TypeError: the function takes a global option of its own; it would be accepted without effect.
    """
    info = CommandInfo(
        name=row.name.rpartition(" ")[2],
        cls=Command,
        context_settings=_SETTINGS,
        callback=getattr(import_module(row.module), row.function),
        help=row.line,
        hidden=row.hidden,
    )
    command = get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode=None)
    assert isinstance(command, Command)
    command.row, command.under = row, under
    shared = _global_options()
    taken = {name for option in shared for name in option.opts}
    if doubled := [name for parameter in command.params for name in parameter.opts if name in taken]:
        raise TypeError(f"{row.name} takes {', '.join(doubled)} of its own; ask options.current()")
    command.params.extend(shared)
    return command


def _ready(command: AnyCommand, rest: Sequence[str], ctx: Context) -> AnyCommand:
    """The command to parse with: loaded, unless it is a group that goes on."""
    if isinstance(command, Group):
        if command.own is None or _goes_on(command, command.own, rest):
            return command
        under = tuple(stub.row for stub in command.commands.values() if isinstance(stub, Stub))
        return load(command.own, under)
    if not isinstance(command, Stub):
        return command
    if not ctx.resilient_parsing:
        return load(command.row)
    try:
        return load(command.row)
    except ImportError:
        return command  # a completion has nothing to say of what is broken; running it has


def _goes_on(group: Group, own: Row, rest: Sequence[str]) -> bool:
    """Whether the words name a command under a word that is a command itself."""
    if not own.takes_words:
        return any(word in group.commands for word in rest) or bool(rest and not rest[0].startswith("-"))
    return options.first_word(rest) in group.commands


def _stub(entry: Entry) -> AnyCommand:
    if entry.own is not None and not entry.rows:
        return Stub(entry.own)
    commands: dict[str, AnyCommand] = {row.name.rpartition(" ")[2]: Stub(row) for row in entry.rows}
    return Group(entry.name, entry.line, commands, own=entry.own, hidden=entry.hidden)


def _global_options() -> list[TyperOption]:
    return [
        TyperOption(
            param_decls=[f"--{option.name}"],
            type=TyperChoice(options.FORMATS) if option.name == "format" else None,
            metavar=option.takes or None,
            is_flag=not option.takes,
            default=None if option.takes else False,
            help=option.line,
            expose_value=False,
            is_eager=True,
            callback=_gather,
            rich_help_panel=pages.EVERYWHERE,
        )
        for option in options.OPTIONS
    ]


def _gather(ctx: Context, param: Parameter, value: str | bool | None) -> None:
    if value is not None and value is not False and param.name is not None and not ctx.resilient_parsing:
        options.record(param.name, value)


def _root_options() -> list[TyperOption]:
    switches = (
        ("--version", _tell_version, "Say the version."),
        ("--install-completion", _install_completion, "Install completion for this shell."),
        ("--show-completion", _show_completion, "Print the completion for this shell."),
    )
    return [
        TyperOption(param_decls=[name], is_flag=True, default=False, help=line, expose_value=False, callback=act)
        for name, act, line in switches
    ]


def _tell_version(ctx: Context, param: Parameter, value: bool) -> None:  # noqa: ARG001 - the parser's own signature
    if value and not ctx.resilient_parsing:
        from oz0mem import __version__

        io.write(f"oz0mem {__version__}\n")
        ctx.exit()


def _install_completion(ctx: Context, param: Parameter, value: bool) -> None:
    if value:
        from oz0mem.cli import completions

        completions.install(ctx, param, value)


def _show_completion(ctx: Context, param: Parameter, value: bool) -> None:
    if value:
        from oz0mem.cli import completions

        completions.show(ctx, param, value)


def _unknown(ctx: Context, name: str, commands: Mapping[str, AnyCommand]) -> Invalid:
    from difflib import get_close_matches

    if name == "help" or (name == "version" and ctx.parent is None):
        hint = f"did you mean: {ctx.command_path} --{name}?"
        return Invalid("usage", f"there is no command {name}", hint=hint, near=[f"--{name}"])
    listed = {word: command for word, command in commands.items() if not command.hidden}
    below: dict[str, list[str]] = {}
    for word, command in listed.items():
        for last in command.commands if isinstance(command, Group) else ():
            below.setdefault(last, []).append(f"{word} {last}")
    near = get_close_matches(name, listed) or [path for last in get_close_matches(name, below) for path in below[last]]
    hint = f"did you mean: {', '.join(near[:4])}?" if near else f"see {ctx.command_path} --help"
    return Invalid("usage", f"there is no command {name}", hint=hint, near=near[:4])

"""Completion for bash, zsh, fish and PowerShell (Q1).

Promises answers and scripts without rich, and the four files in ``completions/`` by
``python -m oz0mem.cli.completions [FOLDER]``. Leaves what can be completed to the parser.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from typer._click.shell_completion import CompletionItem, add_completion_class
from typer._completion_classes import BashComplete, FishComplete, PowerShellComplete, ZshComplete
from typer._completion_shared import _get_shell_name, get_completion_script
from typer.completion import install_callback, shell_complete, show_callback

from oz0mem.cli import io, options
from oz0mem.model.errors import Invalid

if TYPE_CHECKING:
    from typer._click import Context, Parameter

    from oz0mem.cli.lazy import Group

PROGRAM = "oz0mem"
VARIABLE = "_OZ0MEM_COMPLETE"
FILES = {"bash": "oz0mem.bash", "zsh": "_oz0mem", "fish": "oz0mem.fish", "powershell": "oz0mem.ps1"}


class Zsh(ZshComplete):
    """For zsh, as ``"name":"line"``; the parent renders the line with rich, at twice the cost."""

    def format_completion(self, item: CompletionItem) -> str:
        """One candidate with its line of help."""
        value = _quoted(str(item.value))
        return f'"{value}":"{_quoted(item.help)}"' if item.help else f'"{value}"'


class Fish(FishComplete):
    """For fish, as name, tab, line."""

    def format_completion(self, item: CompletionItem) -> str:
        """One candidate with its line of help."""
        return f"{item.value}\t{' '.join(item.help.split())}" if item.help else str(item.value)


class PowerShell(PowerShellComplete):
    """For PowerShell, as ``name:::line``."""

    def format_completion(self, item: CompletionItem) -> str:
        """One candidate with its line of help."""
        return f"{item.value}:::{item.help or ' '}"


def answer(program: Group, instruction: str) -> int:
    """Answer a shell that asks what could come next.

    Args:
        program: the parser.
        instruction: what the script in the shell asks, such as ``complete_bash``.

    Returns:
        The exit code.
    """
    for kind in (BashComplete, Zsh, Fish, PowerShell):
        add_completion_class(kind, kind.name)
    add_completion_class(PowerShell, "pwsh")
    return shell_complete(program, {}, PROGRAM, VARIABLE, instruction)


def install(ctx: Context, param: Parameter, value: bool) -> None:
    """Install the completion of the shell that is named after the option, else of the one that this runs in."""
    _check_shell(ctx, param, value)
    install_callback(ctx, param, _shell(param) if value else value)


def show(ctx: Context, param: Parameter, value: bool) -> None:
    """Print the completion of the shell that is named after the option, else of the one that this runs in."""
    _check_shell(ctx, param, value)
    show_callback(ctx, param, _shell(param) if value else value)


def _check_shell(ctx: Context, param: Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing and _shell(param) not in (*FILES, "pwsh"):
        *most, last = FILES
        raise Invalid(
            "usage",
            "there is no completion for that shell",
            hint=f"{param.opts[0]} takes {', '.join(most)} or {last}",
        )


def _shell(param: Parameter) -> str:
    words = options.arguments()
    after = words[words.index(param.opts[0]) + 1 :]
    return after[0] if after and not after[0].startswith("-") else _get_shell_name() or ""


def script(shell: str) -> str:
    """The script that a shell reads to complete for this program.

    Args:
        shell: one of ``FILES``.
    """
    return get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell) + "\n"


def write_files(folder: str) -> None:
    """Write the four scripts into a folder."""
    for shell, name in FILES.items():
        with open(f"{folder}/{name}", "w", encoding="utf-8", newline="\n") as file:
            file.write(script(shell))
        io.notice(f"wrote {folder}/{name}")


def _quoted(text: str) -> str:
    """Make a text safe inside the double quotes that the script in zsh evaluates."""
    return re.sub(r"([$`:\\])", lambda found: "\\" + found[0], text.replace('"', '""').replace("'", "''"))


if __name__ == "__main__":
    write_files(sys.argv[1] if len(sys.argv) > 1 else "completions")

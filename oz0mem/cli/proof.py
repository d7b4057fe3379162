"""Receipts: taken here, checked anywhere (L30 to L33, L35).

Promises that ``verify`` opens no store and no network. Leaves making a receipt to ``actions/receipts`` and checking one
to ``oz0mem.verify``.
"""

from __future__ import annotations

from typing import Annotated

import typer

from oz0mem.cli import exits, files, io, out
from oz0mem.model.errors import Invalid
from oz0mem.views import receipts as view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oz0mem.actions.receipts import Receipt

_LARGEST = 8 << 20
"""Bytes of a receipt that are read (L31); of keys and heads far fewer would do."""

Output = Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Where to write it; - is stdout.")]


def receipt(
    output: Output,
    about: Annotated[str, typer.Option("--about", metavar="P", help="The person; without it yourself.")] = "",
    since: Annotated[
        str, typer.Option("--since", metavar="HEAD", help="A head that was kept; the receipt proves what grew since.")
    ] = "",
    certificate: Annotated[
        bool, typer.Option("--certificate", help="For a person to read and file: .md, or .html by the file's name.")
    ] = False,
) -> None:
    """Take a receipt about a person."""
    from oz0mem.actions import receipts
    from oz0mem.cli import session

    page = _is_page(output) if certificate else False
    held = _text(io.read_file(since, most=_LARGEST)) if since else ""
    with files.writing(output, private=True) as write:
        made = receipts.receipt(session.context(), about or None, since=held, certificate=certificate)
        write(_certified(made, page=page) if certificate else made.encoded())
    if output != files.STDOUT:
        out.emit(view.issued(made, output, certificate=certificate))


def _is_page(output: str) -> bool:
    """Whether a certificate is a page of HTML, by the file's name; else it is Markdown.

    Raises:
        Invalid: ``receipt.form`` where the name promises something else.
    """
    name = output.rpartition("/")[2].lower()
    ending = name.rpartition(".")[2] if "." in name.lstrip(".") else ""
    if ending not in ("", "md", "markdown", "html", "htm"):
        raise Invalid(
            "receipt.form",
            "a certificate is written as Markdown or HTML",
            hint="give -o a name that ends in .md or .html",
            rule="L35",
        )
    return ending in ("html", "htm")


def _certified(made: Receipt, *, page: bool) -> bytes:
    from oz0mem.views import certificate

    return certificate.html(made) if page else certificate.markdown(made)


def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The receipt; - reads stdin.")],
    keys: Annotated[str, typer.Option("--keys", metavar="KEYS", help="head.pub.json, from somebody you trust.")] = "",
    held: Annotated[
        str, typer.Option("--held", metavar="HEAD", help="A head that you kept; the ledger must extend it.")
    ] = "",
) -> int:
    """Check a receipt; needs no store and no network."""
    from oz0mem import verify as verifier

    content = io.read_file(file, most=_LARGEST)
    known = io.read_file(keys, most=_LARGEST) if keys else None
    kept = _text(io.read_file(held, most=_LARGEST)) if held else None
    try:
        found = verifier.verify(content, known, kept)
    except verifier.Unverified as error:
        out.emit(view.unverified(error.code, error.message))
        return exits.UNVERIFIED
    out.emit(view.verified(found, verifier.sentence(found), verifier.not_proven(found)))
    return exits.DONE


def _text(content: bytes) -> str:
    """A head's text; what is not UTF-8 is no head, and the check of it says so."""
    return content.decode("utf-8", "replace")

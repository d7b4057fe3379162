"""The only package that knows which adapter is used: it makes a context out of what the program was given.

Promises that nothing is opened, and no framework loaded, before a command needs it.
"""

from oz0mem.wiring.contexts import context_of, context_on, environment, found, profiles
from oz0mem.wiring.documents import FORMATS, read_declaration, reader_of
from oz0mem.wiring.installed import copies, keep_token, log_in, machine, upgrade, upgrade_due
from oz0mem.wiring.installing import Made, forget_first_tokens, init

__all__ = [
    "FORMATS",
    "Made",
    "context_of",
    "context_on",
    "copies",
    "environment",
    "forget_first_tokens",
    "found",
    "init",
    "keep_token",
    "log_in",
    "machine",
    "profiles",
    "read_declaration",
    "reader_of",
    "upgrade",
    "upgrade_due",
]

"""Every command by name: what it is called, where its function is, and what help says of it (C8).

Promises that help and completion are made from these rows alone: no function is imported for them. A command
is one row here and one plain function there. Leaves options to the functions' signatures.
"""

from __future__ import annotations

from typing import NamedTuple

from oz0mem.cli.exits import (
    CONFLICT,
    DONE,
    FAULT,
    FORBIDDEN,
    NOT_FOUND,
    REFUSED,
    UNVERIFIED,
    USAGE,
    WAITING,
)

PANELS = ("Memory", "Review", "Rules", "Proof", "Agents", "Store")

PLAIN = (DONE, FAULT, USAGE)
READS = (*PLAIN, NOT_FOUND, FORBIDDEN)
WRITES = (*PLAIN, REFUSED, NOT_FOUND, FORBIDDEN)
CHANGES = (*PLAIN, REFUSED, NOT_FOUND, CONFLICT, FORBIDDEN)
GOVERNS = (*CHANGES, WAITING)
CHECKS = (*PLAIN, NOT_FOUND, FORBIDDEN, UNVERIFIED)
SIGNS = (*PLAIN, REFUSED, NOT_FOUND, FORBIDDEN)
ISSUES = (*SIGNS, WAITING, UNVERIFIED)
VERIFIES = (*PLAIN, UNVERIFIED)


class Row(NamedTuple):
    """One command.

    Attributes:
        name: one word, or a group and a word: ``agent declare``.
        module: where the function is; imported only for the command that is run or asked for its own help.
        function: a plain function with typer's annotations; it returns None or an exit code.
        panel: the heading in the root's help, one of ``PANELS``.
        line: one line of help.
        hidden: answers, but is not listed.
        example: one command line, without the program's name.
        exits: its exit codes.
        takes_words: whether what follows its name may be an argument, where commands stand under that name too.
    """

    name: str
    module: str
    function: str
    panel: str
    line: str
    hidden: bool = False
    example: str = ""
    exits: tuple[int, ...] = PLAIN
    takes_words: bool = False


class Group(NamedTuple):
    """A word under which commands stand, where it is no command itself."""

    name: str
    panel: str
    line: str


_READ = "oz0mem.cli.memory.read"
_WRITE = "oz0mem.cli.memory.write"
_AGREEING = "oz0mem.cli.memory.agreeing"
_STARTING = "oz0mem.cli.memory.starting"
_APPROVALS = "oz0mem.cli.approvals"
_LINKS = "oz0mem.cli.memory.links"
_IMPORTS = "oz0mem.cli.memory.imports"
_RULES = "oz0mem.cli.rules"
_AUDIT = "oz0mem.cli.audit"
_PROOF = "oz0mem.cli.proof"
_AGENTS = "oz0mem.cli.agent.declarations"
_JOBS = "oz0mem.cli.agent.jobs"
_IDENTITY = "oz0mem.cli.identity"
_STORE = "oz0mem.cli.store"
_DEMO = "oz0mem.cli.demo"
_PLUGIN = "oz0mem.cli.plugin"


def _row(name: str, place: str, panel: str, line: str, example: str, exits: tuple[int, ...]) -> Row:
    module, _, function = place.partition(":")
    return Row(name, module, function, panel, line, example=example, exits=exits)


ROWS = (
    _row("remember", f"{_WRITE}:remember", "Memory", "Keep a text.",
         "remember 'Invoices go out on Fridays' --agent billing --purpose invoicing", GOVERNS),
    _row("recall", f"{_READ}:recall", "Memory", "Find what fits a few words, within a budget.",
         "recall delivery address --agent concierge --about dana", WRITES),
    _row("define", f"{_AGREEING}:define", "Memory", "Say what a term means, or propose it.",
         "define 'active customer' 'A customer with an order in the last 90 days'", GOVERNS),
    _row("supersede", f"{_AGREEING}:supersede", "Memory", "Replace an entry by another text.",
         "supersede d-3f2a91c07b42 'Deploy on Tuesdays' --version 2", GOVERNS),
    _row("startup-context", f"{_STARTING}:startup_context", "Memory", "Print what an agent's job works under.",
         "startup-context --agent decider --project web/checkout", WRITES),
    _row("changed-since", f"{_STARTING}:changed_since", "Memory", "List what changed since an agent last asked.",
         "changed-since --agent decider", GOVERNS),
    _row("list", f"{_READ}:list_entries", "Memory", "List what is remembered, newest first.",
         "list --about dana --held", READS),
    _row("show", f"{_READ}:show", "Memory", "Show one entry whole.",
         "show n-4be1906c22d1 --versions", READS),
    _row("history", f"{_READ}:history", "Memory", "Show a fact over time.",
         "history concierge shipping_city --about dana", READS),
    _row("edit", f"{_WRITE}:edit", "Memory", "Rewrite an entry in your words.",
         "edit m-0fd76d9f6839 'Prefers ruled notebooks' --reason 'asked on the phone'", GOVERNS),
    _row("delete", f"{_WRITE}:delete", "Memory", "Delete entries for good.",
         "delete n-4be1906c22d1 --reason 'no longer true' --yes", GOVERNS),
    _row("forget", f"{_WRITE}:forget", "Memory", "Forget a person, everywhere.",
         "forget --about dana --yes", GOVERNS),
    _row("retire", f"{_WRITE}:retire", "Memory", "Take an entry out of use; history keeps it.",
         "retire d-3f2a91c07b44 --reason 'replaced by the new handbook'", GOVERNS),
    _row("move", f"{_WRITE}:move", "Memory", "Move an entry to another scope.",
         "move n-4be1906c22d1 tenant --reason 'everybody needs it'", CHANGES),
    _row("renew", f"{_WRITE}:renew", "Memory", "Set a new review date.",
         "renew d-3f2a91c07b44 --days 180", CHANGES),
    _row("link", f"{_LINKS}:link", "Memory", "Propose a link from one entry to another.",
         "link n-4be1906c22d1 supports d-3f2a91c07b44 --reason 'measured there'", CHANGES)._replace(takes_words=True),
    _row("link confirm", f"{_LINKS}:confirm", "Memory", "Confirm links that somebody else proposed.",
         "link confirm l-91c07b443f2a", CHANGES),
    _row("link reject", f"{_LINKS}:reject", "Memory", "Turn down links that wait.",
         "link reject l-91c07b443f2a --reason 'of another project'", CHANGES),
    _row("links", f"{_LINKS}:list_links", "Memory", "List links between entries, oldest first.",
         "links --waiting", READS),
    _row("call", f"{_WRITE}:call", "Memory", "Call a function of the agents by name, JSON in, JSON out.",
         "call oz0_memory.recall '{\"words\": \"delivery\"}' --agent concierge", GOVERNS),
    _row("import", f"{_IMPORTS}:import_file", "Memory", "Bring in memories from another program.",
         "import memories.jsonl --from jsonl --agent concierge --dry-run", CHANGES),
    _row("confirm", f"{_WRITE}:confirm", "Review", "Let entries that wait become active.",
         "confirm m-f7df1fd760ab m-0fd76d9f6839", CHANGES),
    _row("reject", f"{_WRITE}:reject", "Review", "Turn down entries that wait.",
         "reject m-f7df1fd760ab --reason 'not what she said'", CHANGES),
    _row("accept", f"{_AGREEING}:accept", "Review", "Put proposals in force.",
         "accept d-3f2a91c07b42 --version 1", GOVERNS),
    _row("approvals", f"{_APPROVALS}:list_approvals", "Review", "List the calls of agents that wait for a person.",
         "approvals", READS),
    _row("approvals approve", f"{_APPROVALS}:approve", "Review", "Let calls run, once, as their agent.",
         "approvals approve ap-81d2c07b443f --reason 'read it'", GOVERNS),
    _row("approvals deny", f"{_APPROVALS}:deny", "Review", "Deny calls; nothing of them is written.",
         "approvals deny ap-81d2c07b443f --reason 'not ours'", CHANGES),
    _row("settings", f"{_RULES}:show_settings", "Rules", "Show the tenant's settings, or change them.",
         "settings", READS),
    _row("settings set", f"{_RULES}:set_settings", "Rules", "Change settings.",
         "settings set --default-days 90 --reason 'shorter reviews'", GOVERNS),
    _row("secrets add", f"{_RULES}:add_secret", "Rules", "Add a secret, from stdin, that no memory may hold.",
         "secrets add --reason 'leaked once' < key.txt", CHANGES),
    _row("secrets list", f"{_RULES}:list_secrets", "Rules", "List the tenant's secrets by number.",
         "secrets list", READS),
    _row("secrets remove", f"{_RULES}:remove_secret", "Rules", "Remove a secret from the list.",
         "secrets remove 12 --reason 'rotated'", CHANGES),
    _row("plugin policy", f"{_PLUGIN}:policy", "Rules", "Show which calls of agents ask a person, or set it.",
         "plugin policy memory --set write=allow --for agent:billing --reason 'trusted'", GOVERNS),
    _row("plugin install", f"{_PLUGIN}:install", "Rules", "Write the policy of the plugin, which is built in.",
         "plugin install hub:ai.oz0/memory", WRITES),
    _row("receipt", f"{_PROOF}:receipt", "Proof", "Take a receipt of what was forgotten about a person.",
         "receipt -o forgotten.json --about dana", ISSUES),
    _row("verify", f"{_PROOF}:verify", "Proof", "Check a receipt; needs no store and no network.",
         "verify forgotten.json --keys head.pub.json", VERIFIES),
    _row("audit log", f"{_AUDIT}:log", "Proof", "List what happened, never what was remembered.",
         "audit log --since 7d", READS),
    _row("audit check", f"{_AUDIT}:check", "Proof", "Check the ledger against the store.",
         "audit check --contents", CHECKS),
    _row("audit head", f"{_AUDIT}:head", "Proof", "Sign the ledger's head, to hand out.",
         "audit head -o head.txt", SIGNS),
    _row("audit keys", f"{_AUDIT}:keys", "Proof", "Hand out the public keys, or rotate the signing key.",
         "audit keys -o head.pub.json", SIGNS),
    _row("agent declare", f"{_AGENTS}:declare", "Agents", "Declare an agent from a YAML, JSON or TOML file.",
         "agent declare concierge.yaml --reason 'first version'", GOVERNS),
    _row("agent list", f"{_AGENTS}:list_agents", "Agents", "List the agents.",
         "agent list", READS),
    _row("agent show", f"{_AGENTS}:show", "Agents", "Show one agent's declaration.",
         "agent show concierge", READS),
    _row("agent verify-receipt", f"{_PROOF}:verify", "Agents", "Check a receipt, as verify does.",
         "agent verify-receipt forgotten.json --keys head.pub.json", VERIFIES),
    _row("job start", f"{_JOBS}:start", "Agents", "Start a job and print its token.",
         "job start concierge --purpose customer-support --about dana --sees person", WRITES),
    _row("job read", f"{_JOBS}:read", "Agents", "Say what a job has read.",
         "job read j-5d1f0a92c3b4 'the delivery page'", CHANGES),
    _row("job show", f"{_JOBS}:show", "Agents", "Show one job.",
         "job show j-5d1f0a92c3b4", READS),
    _row("job end", f"{_JOBS}:end", "Agents", "End a job.",
         "job end j-5d1f0a92c3b4", CHANGES),
    _row("init", f"{_STORE}:init", "Store", "Make a store, a tenant and its first admin.",
         "init --tenant acme --admin ana --solo", (*PLAIN, REFUSED, CONFLICT)),
    _row("principal add", f"{_IDENTITY}:add", "Store", "Add a person or a host; its token is shown once.",
         "principal add dana --role member --reason 'joined'", GOVERNS),
    _row("principal list", f"{_IDENTITY}:list_principals", "Store", "List who has access.",
         "principal list", READS),
    _row("principal disable", f"{_IDENTITY}:disable", "Store", "Take somebody's access away.",
         "principal disable dana --reason 'left'", GOVERNS),
    _row("principal rotate", f"{_IDENTITY}:rotate", "Store", "Give somebody a new token.",
         "principal rotate dana --reason 'lost laptop'", GOVERNS),
    _row("login", f"{_IDENTITY}:login", "Store", "Keep a token for this profile, from stdin.",
         "login < token.txt", READS),
    _row("whoami", f"{_IDENTITY}:whoami", "Store", "Say who you are here.",
         "whoami", READS),
    _row("upkeep", f"{_STORE}:upkeep", "Store", "Erase what has reached its end, and tidy.",
         "upkeep --dry-run", GOVERNS),
    _row("upgrade", f"{_STORE}:upgrade", "Store", "Bring the store's schema up to date.",
         "upgrade --yes", (*PLAIN, REFUSED, CONFLICT)),
    _row("doctor", f"{_STORE}:doctor", "Store", "Look the installation over: each line ok, or what to do.",
         "doctor", CHECKS),
    _row("config show", f"{_STORE}:show_config", "Store", "Show this program's settings and their origin.",
         "config show --origin", PLAIN),
    _row("demo", f"{_DEMO}:demo", "Store", "Play the whole story on a store of its own.",
         "demo", PLAIN),
)  # fmt: skip

GROUPS = (
    Group("secrets", "Rules", "Add, list and remove secrets that no memory may hold."),
    Group("plugin", "Rules", "Say which calls of agents are allowed, asked about or denied."),
    Group("audit", "Proof", "Read and check the ledger."),
    Group("agent", "Agents", "Declare, list and show agents."),
    Group("job", "Agents", "Start, show and end jobs, for hosts."),
    Group("principal", "Store", "Add, list, disable people and hosts, renew their tokens."),
    Group("config", "Store", "Show this program's own settings."),
)


class Entry(NamedTuple):
    """One word of the command line: the command it is, and the commands under it; at least one of them."""

    name: str
    panel: str
    line: str
    hidden: bool
    own: Row | None
    rows: tuple[Row, ...]


def entries(rows: tuple[Row, ...] = ROWS) -> tuple[Entry, ...]:
    """The words of the root, panel by panel, each where its first row stands."""
    first: dict[str, list[Row]] = {}
    for row in rows:
        first.setdefault(row.name.partition(" ")[0], []).append(row)
    made = [_entry(name, of_name) for name, of_name in first.items()]
    return tuple(sorted(made, key=lambda entry: PANELS.index(entry.panel)))


def _entry(name: str, rows: list[Row]) -> Entry:
    own = next((row for row in rows if row.name == name), None)
    under = tuple(row for row in rows if row.name != name)
    group = next((group for group in GROUPS if group.name == name), None)
    told = own or group or under[0]
    return Entry(name, told.panel, told.line, all(row.hidden for row in rows), own, under)

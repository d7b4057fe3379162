"""Secret formats that the words around them give away: headers, addresses, connection strings (M8).

Promises `telling`. Leaves formats that show by themselves to `secret_formats`, and what merely resembles a
secret to `secret_resemblances`.
Every repetition is bounded, so that no text makes a search slow.
"""

from __future__ import annotations

import binascii
import re
from functools import cache
from typing import TYPE_CHECKING

from oz0mem.rules.secret_values import is_placeholder, is_random

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Found = tuple[str, int, int]
"""Kind, first place, place after the last."""

_SEP = r"[\"'`\\\])*]{0,4}[ \t]{0,4}(?:is[ \t]|was[ \t]|:=|=>|==?|[:>,])?[ \t]{0,4}[\"'`\\(*]{0,4}"
_VALUE_END = r"(?![\w+/=-])"


class Phrase:
    """A format that words give away: `letters` must be there in lower case, `fits` judges group 1."""

    __slots__ = ("fits", "kind", "letters", "pattern")

    def __init__(self, kind: str, letters: tuple[str, ...], pattern: str, fits: Callable[[str], bool]) -> None:
        self.kind = kind
        self.letters = letters
        self.pattern = pattern
        self.fits = fits


def _random(value: str) -> bool:
    return bool(is_random(value)) and not is_placeholder(value)


def _real(value: str) -> bool:
    return not is_placeholder(value)


def _pair(value: str) -> bool:
    """Whether base64 hides a name and a password, as RFC 7617 has it."""
    try:
        decoded = binascii.a2b_base64(value + "=" * (-len(value) % 4), strict_mode=True)
    except (binascii.Error, ValueError):
        return False
    name, colon, password = decoded.partition(b":")
    return bool(colon and password) and decoded.isascii() and not is_placeholder(password.decode("ascii"))


def _vendor(kind: str, words: str, value: str, *, shape_tells: bool = False) -> Phrase:
    """A vendor's name, a word for a secret near it (unless the shape tells), and a value of that shape."""
    word = r"[\w .\"'-]{0,24}?(?i:key|token|secret|password|pat|auth)(?i:[ _-]?value)?"
    near = rf"(?i:{words})(?:{word}){'?' if shape_tells else ''}{_SEP}"
    return Phrase(kind, tuple(words.split("|")), rf"{near}(?<![\w+/-])({value}){_VALUE_END}", _real)


_HEX32 = "[0-9a-fA-F]{32}"
_UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

TELLING: tuple[Phrase, ...] = (
    Phrase(
        "url-password",
        ("://",),
        r"://[^\s/@:\"'<>]{0,100}:([^\s/\"'<>]{1,200})@[\w.\[-]",
        lambda v: not _is_dummy(v),
    ),
    Phrase(
        "azure-sas-url",
        ("sig=",),
        r"[?&;](?:sv|se|sp|st|spr|srt|ss)=[^\s\"']{1,600}?&sig=([\w%+/=-]{20,120})",
        _real,
    ),
    Phrase("azure-sas-url", ("sig=",), r"[?&]sig=([\w%+/=-]{20,120})&(?:sv|se|sp|st|spr|srt|ss)=", _real),
    Phrase(
        "url-signed",
        ("signature=",),
        r"[?&](?i:x-amz-signature|x-goog-signature|signature|x-oss-signature)=([\w%+/=~-]{20,700})",
        _real,
    ),
    Phrase(
        "url-token",
        ("key=", "token=", "secret=", "sig=", "auth=", "code=", "signature="),
        r"[?&#](?i:(?:[a-z]{1,12}[_-]?)?(?:api[_-]?key|key|token|secret|sig|auth|code))=([\w%.~+/=-]{12,2000})",
        _random,
    ),
    Phrase(
        "url-token",
        ("password=", "pwd=", "passwd="),
        r"://[^\s\"']{1,600}?[?&;](?i:password|passwd|pwd)=([^\s&;\"'<>]{3,200})",
        _real,
    ),
    Phrase(
        "connection-string-password",
        ("password=", "pwd=", "password =", "pwd ="),
        r"(?i:server|data source|host|hostaddr|addr|address|user id|uid|user|dbname|database)"
        r" ?= ?[^\s;=\"']{1,100}(?:;|[ \t])"
        r"[^\n\"]{0,300}?\b(?i:password|pwd) ?= ?[\"']?([^;\s\"'&]{4,200})",
        lambda value: _real(value.rstrip(",)") or "*"),
    ),
    Phrase("azure-storage-key", ("accountkey=",), r"(?i:AccountKey)=([A-Za-z0-9+/]{60,120}={0,2})", _real),
    Phrase(
        "azure-shared-access-key",
        ("sharedaccesskey=",),
        r"(?i:SharedAccessKey)=([A-Za-z0-9+/]{40,90}={0,2})",
        _real,
    ),
    Phrase(
        "basic-auth-header",
        ("basic",),
        r"(?i:authorization[\"'\\]{0,3} ?[:=] ?[\"'\\]{0,3}basic) {1,3}([\w+/-]{8,600}={0,2})",
        _pair,
    ),
    Phrase(
        "basic-auth-argument",
        (" -u", " --user"),
        r"(?i:curl|wget|http)[^\n]{0,300}? (?:-u|--user) ?=?[\"']?[^\s:\"'$]{1,80}:([^\s\"']{3,200})",
        _real,
    ),
    Phrase(
        "netrc-password",
        ("machine",),
        r"machine\s{1,4}\S{1,200}\s{1,8}login\s{1,4}\S{1,100}\s{1,8}password\s{1,4}(\S{3,200})",
        _real,
    ),
    Phrase(
        "docker-auth",
        ('auth"', "_auth"),
        r"(?:\"auth\\{0,2}\": ?\\{0,2}\"|_auth ?= ?\"?)([\w+/]{12,600}={0,2})",
        _pair,
    ),
    Phrase("npm-token", ("_authtoken",), rf"_authToken ?= ?[\"']?({_UUID}|[\w-]{{30,120}})", _real),
    Phrase(
        "wireguard-private-key",
        ("privatekey", "presharedkey"),
        r"(?:PrivateKey|PresharedKey) ?= ?([A-Za-z0-9+/]{43}=)",
        _real,
    ),
    Phrase(
        "aws-secret-access-key",
        ("secret access", "secret_access", "secret-access", "secretaccess", "aws"),
        rf"(?i:secret[ _-]?access[ _-]?key|aws[ \w.-]{{0,20}}secret[ _-]?(?:access[ _-]?)?(?:key)?)"
        rf"{_SEP}([A-Za-z0-9/+]{{40}}){_VALUE_END}",
        _real,
    ),
    Phrase(
        "aws-session-token",
        ("session",),
        rf"(?i:session[ _-]?token){_SEP}([A-Za-z0-9+/]{{100,4000}}={{0,2}}){_VALUE_END}",
        _real,
    ),
    _vendor(
        "azure-devops-pat",
        "azure devops|azure_devops|azuredevops|vsts|system_access",
        "[a-z2-7]{52}",
        shape_tells=True,
    ),
    _vendor("azure-client-secret", "azure_client|arm_client", r"[\w~.-]{34,44}"),
    _vendor("cloudflare-api-token", "cloudflare|cf_api|cf-api", r"(?=[\w-]{0,39}\d)(?:[\w-]{40}|[0-9a-f]{37})"),
    _vendor(
        "cloudflare-api-token",
        "cloudflare",
        r"(?=[\w-]{0,39}\d)(?=[\w-]{0,39}[G-Z_])[\w-]{40}",
        shape_tells=True,
    ),
    _vendor("datadog-key", "datadog|dd_api|dd_app|dd-api|dd-app", f"{_HEX32}|[0-9a-f]{{40}}"),
    _vendor("heroku-api-key", "heroku", _UUID),
    _vendor("okta-token", "okta|ssws", r"00[\w-]{40}", shape_tells=True),
    _vendor("twilio-auth-token", "twilio", _HEX32),
    _vendor("mistral-key", "mistral", r"(?=[A-Za-z]{0,31}\d)[A-Za-z0-9]{32}"),
    _vendor("cohere-key", "cohere|co_api", r"(?=[A-Za-z]{0,39}\d)[A-Za-z0-9]{40}"),
    _vendor("deepgram-key", "deepgram", "[0-9a-f]{40}"),
    _vendor("fastly-token", "fastly", r"(?=[\w-]{0,31}\d)[\w-]{32}"),
    _vendor("algolia-key", "algolia", _HEX32),
    _vendor("wandb-key", "wandb", "[0-9a-f]{40}"),
    _vendor("snyk-token", "snyk", _UUID),
    _vendor("linode-token", "linode", "[0-9a-f]{64}"),
    _vendor("hetzner-token", "hetzner|hcloud", "[A-Za-z0-9]{64}"),
    _vendor("jenkins-token", "jenkins", "11[0-9a-f]{32}"),
    _vendor("pagerduty-key", "pagerduty", r"u\+[\w-]{18}|[0-9a-f]{32}"),
    _vendor("discord-client-secret", "discord", r"(?=[\w-]{0,31}\d)[\w-]{32}"),
    Phrase(
        "bearer-header",
        ("authorization",),
        r"(?i:authorization[\"'\\]{0,3} ?[:=] ?[\"'\\]{0,3}"
        r"(?:bearer|token|bot|ssws|apikey|api-key|genie-?key|oauth))"
        r"[ =]{1,3}(?:token=)?[\"'\\]{0,3}([\w.~+/=|-]{16,2000})",
        _random,
    ),
    Phrase(
        "api-key-header",
        ("-key", "-token", "-secret"),
        r"(?<![\w-])(?i:x-[a-z-]{0,30}(?:key|token|secret)|private-token|job-token|api-key|dd-api-key)"
        r"[\"'\\]{0,3}: ?[\"'\\]{0,3}([\w.~+/=-]{16,2000})",
        _random,
    ),
)


def _is_dummy(password: str) -> bool:
    return is_placeholder(password) or password.lower() in (
        "pass",
        "pw",
        "xxx",
        "user",
        "postgres",
        "root",
        "guest",
    )


@cache
def _compiled(index: int) -> re.Pattern[str]:
    return re.compile(TELLING[index].pattern, re.ASCII)


def telling(text: str, lower: str) -> Iterator[Found]:
    """Find the formats that words give away.

    Args:
        text: a view of what is remembered.
        lower: the same in lower case.
    """
    for index, phrase in enumerate(TELLING):
        if not any(letters in lower for letters in phrase.letters):
            continue
        if phrase.kind == "url-password" and "@" not in text:
            continue
        for match in _compiled(index).finditer(text):
            if phrase.fits(match[1]):
                yield phrase.kind, match.start(1), match.end(1)

"""Samples for the scan: known formats, look-alikes, harmless texts, and the disguises of one secret.

No secret stands in this file in one piece: samples are put together from parts when a test runs.
"""

from __future__ import annotations

import base64
import random
import string

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
URL_SAFE = LETTERS + "_-"
BASE64 = LETTERS + "+/"


def body(length: int, alphabet: str = LETTERS, seed: int = 7) -> str:
    """Letters drawn the same way each time, a digit and both cases among the first."""
    draw = random.Random(f"{length}{alphabet}{seed}")
    return "".join(draw.choice(alphabet) for _ in range(length))


def uuid() -> str:
    return "-".join(body(n, HEX) for n in (8, 4, 4, 4, 12))


def github() -> str:
    return "gh" + "p_" + body(36)


VETO = {
    "aws-access-key-id": "ASI" + "A" + body(16, string.ascii_uppercase + "234567"),
    "aws-session-token": "AWS_SESSION_TOKEN=" + body(200, BASE64),
    "gcp-oauth-client-secret": "GOC" + "SPX-" + body(28, URL_SAFE),
    "azure-storage-key": "AccountName=x;Account" + "Key=" + body(86, BASE64) + "==;",
    "azure-client-secret": "secret " + body(3) + "8" + "Q~" + body(34),
    "digitalocean-token": "dop" + "_v1_" + body(64, HEX),
    "cloudflare-api-token": "CLOUDFLARE_API_TOKEN" + "=" + body(40, URL_SAFE),
    "github-oauth": "gh" + "o_" + body(36),
    "gitlab-pat": "gl" + "pat-" + body(20, LETTERS),
    "gitlab-runner-token": "gl" + "rt-" + body(20, LETTERS),
    "vault-token": "hv" + "s." + body(90),
    "nuget-key": "oy" + "2" + body(43, string.ascii_lowercase + string.digits),
    "rubygems-key": "rubygems" + "_" + body(48, HEX),
    "anthropic-key": "sk-" + "ant-api03-" + body(93) + "AA",
    "groq-key": "gs" + "k_" + body(52),
    "huggingface-token": "h" + "f_" + body(34),
    "perplexity-key": "pp" + "lx-" + body(48),
    "slack-user-token": "xo" + "xp-1234567890-1234567890-" + body(32, HEX),
    "slack-app-token": "xa" + "pp-1-A012345678-1234567890123-" + body(64, HEX),
    "slack-webhook": "https://hooks.slack" + ".com/services/T0/B0/" + body(24) + body(10),
    "discord-webhook": "https://discord.com/api/web" + "hooks/123456789012345678/" + body(68),
    "twilio-api-key": "S" + "K" + body(32, HEX),
    "mailgun-key": "key" + "-" + body(32, HEX),
    "mailchimp-key": body(32, HEX) + "-u" + "s14",
    "square-token": "sq0" + "atp-" + body(22),
    "linear-key": "lin_" + "api_" + body(40),
    "notion-token": "nt" + "n_" + body(46),
    "figma-token": "fig" + "d_" + body(40),
    "sentry-token": "sntry" + "s_eyJ" + body(100),
    "newrelic-key": "NRA" + "K-" + body(27, string.ascii_uppercase + string.digits),
    "datadog-key": "DD_API_KEY" + "=" + body(32, HEX),
    "databricks-token": "da" + "pi" + body(32, HEX),
    "okta-token": "Authorization: SSWS 0" + "0" + body(40),
    "age-secret-key": "AGE-SECRET" + "-KEY-1" + body(58, string.ascii_uppercase),
    "url-password": "redis://:" + body(20) + "@cache.example.test:6379/0",
    "connection-string-password": "Server=db;Database=x;User Id=sa;Password" + "=Tr0ub4dor&3;",
    "basic-auth-argument": "curl -u admin:" + body(10) + " https://example.test",
    "netrc-password": "machine example.test login dana password " + body(9),
    "bearer-header": "Authorization: Bearer " + body(40),
    "api-key-header": "X-API-Key: " + body(32),
    "docker-auth": '"auth": "' + base64.b64encode(b"dana:" + body(12).encode()).decode() + '"',
}


HOLD = [
    "password: hunter2" + "hunter",
    "PWD=Sommer" + "2024!",
    "api key is " + body(32),
    "auth token " + body(40, HEX),
    "api_key: " + uuid(),
    "acme" + "_test_" + body(24),
    "s" + "k-" + body(48),
    "the db password is S3cure" + "!Pass",
    'wifi password is "sun' + 'flower99"',
    "Passwort: Sommer" + "2024!",
    "密码：Abc" + "12345xyz",
    "encryption key = " + body(43, BASE64) + "=",
    "the pin is 48" + "2913",
]


CLEAN = [
    "password: <your password>",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "gh" + "p_" + "x" * 36,
    'api_key = os.environ["OPENAI_API_KEY"]',
    "secret: projects/123/secrets/db-password/versions/2",
    "The password is stored in 1Password.",
    "The token is valid for 3600 seconds.",
    "password policy: rotate every 90 days",
    "token count: 12345678901234567890",
    "idempotency key: " + uuid(),
    'etag "' + body(32, HEX) + '"',
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + body(43) + " dana@host",
    "phc_" + body(43),
    "AC" + body(32, HEX),
    "https://" + body(32, HEX) + "@o1.ingest.sentry.io/123",
    base64.b64encode(b"hello world, this is harmless text for all").decode(),
    "[tenant/d-3f2a91c07b42 v2] project:web/checkout/r-0123456789ab",
    "PEM files begin with -----BEGIN PRIVATE KEY-----.",
    "postgres://user:password@localhost/db",
    "https://user:***@host/x",
    "git@github.com:acme/repo.git",
    "xoxb-your-token-here",
    "moved the password to 1Password",
    "password is bcrypt-hashed",
    "Authorization: Bearer <token>",
    "https://example.test/?page_token=CoQAA12&limit=10",
    "0x" + body(64, HEX),
    "pin numpy to 1.26.4",
    "const token = await getToken(request)",
    "tests passed: 123456",
    "password = auth[2]",
    'reply += f"password {attrs[2]}"',
    "def login(host=HOST, user=None, password=None, port=1):",
]


def disguises(secret: str) -> dict[str, str]:
    """One secret, disguised in the ways that a copy, a wrapped line or a document makes."""
    return {
        "zero width": secret[:10] + "\u200b" + secret[10:],
        "soft hyphen": secret[:9] + "\u00ad" + secret[9:],
        "full width": "".join(chr(ord(c) + 0xFEE0) for c in secret),
        "after 70 KB": "word " * 15_000 + secret,
        "wrapped": secret[:20] + "\n" + secret[20:],
        "quoted and wrapped": "> " + secret[:20] + "\r\n> " + secret[20:],
        "joined strings": f'"{secret[:12]}" + "{secret[12:]}"',
        "escaped JSON": f'{{"a": "{{\\"b\\": \\"x\\n{secret}\\"}}"}}',
        "percent": secret.replace("_", "%5F"),
        "twice percent": secret.replace("_", "%255F"),
        "JSON escape": secret.replace("_", "\\u005f"),
        "HTML": secret.replace("_", "&#95;"),
        "base64": base64.b64encode(f"token: {secret}".encode()).decode(),
        "hexadecimal": secret.encode().hex(),
        "other script before": "密码" + secret,
    }

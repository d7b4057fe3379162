"""Moments and durations as integers of microseconds: since 1970-01-01T00:00:00Z, always UTC.

Promises one reading and one spelling of a time on every machine: RFC 3339 (a time without an offset is
refused, never guessed), a UTC day, and durations as Go writes them (C7, Q14). Leaves local time to the
terminal and the present moment to the clock: `now` is an argument. The civil calendar is worked out here,
since `datetime` costs more at start-up than a whole listing does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oz0mem.model.errors import Invalid

if TYPE_CHECKING:
    from typing import Literal, NoReturn

    Edge = Literal["from", "until"]

SECOND: Final = 1_000_000
HOUR: Final = 3_600 * SECOND
DAY: Final = 24 * HOUR

FIRST: Final = 0
"""1970-01-01T00:00:00Z, the earliest moment there is."""
LAST: Final = 253_402_300_800 * SECOND - 1
"""9999-12-31T23:59:59.999999Z, the latest moment there is."""

_MINUTE: Final = 60 * SECOND
_UNITS: Final = (("d", DAY), ("h", HOUR), ("m", _MINUTE), ("s", SECOND))
_BEFORE_MONTH: Final = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)
_FORMS: Final = "2026-12-01 (a UTC day), 2026-12-01T09:00:00Z, 30d, 12h or 720h0m0s"


def rfc3339(us: int) -> str:
    """Write a moment in RFC 3339, UTC, such as ``2026-10-03T09:00:00Z``.

    Args:
        us: microseconds since 1970, within `FIRST` and `LAST`.

    Returns:
        The text; with six digits of fraction where the moment is no whole second.
    """
    whole, fraction = divmod(_in_range(us), SECOND)
    days, second = divmod(whole, 86_400)
    year, month, day = _civil(days)
    text = f"{year:04}-{month:02}-{day:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    return f"{text}.{fraction:06}Z" if fraction else f"{text}Z"


def parse_rfc3339(text: str) -> int:
    """Read a moment in RFC 3339; digits past the microsecond are cut.

    Raises:
        Invalid: ``moment.bad`` where it is no such time, has no offset, or lies outside 1970 to 9999.
    """
    if len(text) < 19 or text[10] not in "Tt" or text[13] != ":" or text[16] != ":":
        _refuse(f"this is not a time that can be read; write {_FORMS}")
    hour, minute, second = _digits(text[11:13]), _digits(text[14:16]), _digits(text[17:19])
    if hour > 23 or minute > 59 or second > 59:
        _refuse("the hour goes to 23, the minute and the second to 59; leap seconds cannot be kept")
    fraction, zone = _split_fraction(text[19:])
    clock = hour * HOUR + minute * _MINUTE + second * SECOND + fraction
    return _in_range(_day(text[:10]) + clock - _offset(zone))


def parse_moment(text: str, now: int, *, edge: Edge) -> int:
    """Read a moment as people type it (C7); periods are [from, until).

    Args:
        text: a UTC day, an RFC 3339 time, or a duration that counts from `now`.
        now: microseconds since 1970.
        edge: what the moment is to be; a day begins a period with its first instant (``from``) and ends
            one with the first instant of the next day (``until``).

    Raises:
        Invalid: ``moment.bad``.
    """
    if len(text) == 10 and text[4] == "-":
        return _in_range(_day(text) + (DAY if edge == "until" else 0))
    if len(text) > 10 and text[4] == "-":
        return parse_rfc3339(text)
    span = _span(text)
    if span < 0:
        _refuse(f"this is not a time that can be read; write {_FORMS}")
    return _in_range(now + span)


def parse_duration(text: str) -> int:
    """Read a duration such as ``720h0m0s``, ``3m0s``, ``30d`` or ``12h``; a day is 24 hours.

    Each of d, h, m, s stands at most once, the longest first, after ASCII digits.

    Returns:
        Microseconds, 0 or more.

    Raises:
        Invalid: ``duration.bad``.
    """
    span = _span(text)
    if not 0 <= span <= LAST:
        message = "this is not a duration that can be read; write such as 30d, 12h, 3m0s or 720h0m0s"
        raise Invalid("duration.bad", message, rule="C7")
    return span


def _span(text: str) -> int:
    """Read a duration; -1 where it is none."""
    span, rest = 0, text
    for unit, worth in _UNITS:
        number, found, after = rest.partition(unit)
        if not found:
            continue
        if not _is_digits(number) or len(number) > 15:
            return -1
        span, rest = span + int(number) * worth, after
    return span if text and not rest else -1


def _day(text: str) -> int:
    """First instant of the UTC day ``YYYY-MM-DD``, by the proleptic Gregorian calendar."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        _refuse(f"this is not a date that can be read; write {_FORMS}")
    year, month, day = _digits(text[:4]), _digits(text[5:7]), _digits(text[8:])
    if not 1 <= month <= 12 or not 1 <= day <= _days_in(year, month):
        _refuse("there is no such day in the calendar")
    return (_days_before(year) + _days_before_month(year, month) + day - 1) * DAY


def _days_before(year: int) -> int:
    """Days from 1970-01-01 to the first of January of `year`."""
    past = year - 1
    return 365 * (year - 1970) + past // 4 - past // 100 + past // 400 - 477


def _days_before_month(year: int, month: int) -> int:
    return _BEFORE_MONTH[month - 1] + (month > 2 and _is_leap(year))


def _days_in(year: int, month: int) -> int:
    return _BEFORE_MONTH[month] - _BEFORE_MONTH[month - 1] + (month == 2 and _is_leap(year))


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _civil(days: int) -> tuple[int, int, int]:
    """Year, month and day of a count of days since 1970-01-01."""
    year = 1970 + days * 400 // 146_097
    if days < _days_before(year):
        year -= 1
    elif days >= _days_before(year + 1):
        year += 1
    rest = days - _days_before(year)
    month = 12
    while rest < _days_before_month(year, month):
        month -= 1
    return year, month, rest - _days_before_month(year, month) + 1


def _split_fraction(text: str) -> tuple[int, str]:
    """Take ``.123`` off the front: its microseconds, and what follows."""
    if not text.startswith("."):
        return 0, text
    end = 1
    while end < len(text) and text[end] in "0123456789":
        end += 1
    if end == 1:
        _refuse("a fraction of a second needs at least one digit")
    return int(text[1:end][:6].ljust(6, "0")), text[end:]


def _offset(zone: str) -> int:
    """Microseconds that local time at this offset is ahead of UTC."""
    if zone in ("Z", "z"):
        return 0
    if not zone:
        _refuse("a time needs its offset from UTC: 2026-12-01T09:00:00Z, or 2026-12-01T10:00:00+01:00")
    if len(zone) != 6 or zone[0] not in "+-" or zone[3] != ":":
        _refuse("the offset from UTC is Z, or such as +01:00")
    hour, minute = _digits(zone[1:3]), _digits(zone[4:])
    if hour > 23 or minute > 59:
        _refuse("the offset from UTC goes to 23:59")
    ahead = hour * HOUR + minute * _MINUTE
    return -ahead if zone[0] == "-" else ahead


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _digits(text: str) -> int:
    if not _is_digits(text):
        _refuse(f"this is not a time that can be read; write {_FORMS}")
    return int(text)


def _in_range(us: int) -> int:
    if not FIRST <= us <= LAST:
        _refuse("times lie within the years 1970 to 9999")
    return us


def _refuse(message: str) -> NoReturn:
    raise Invalid("moment.bad", message, rule="C7")

"""What a provider's refusal means. It is decided by the status code, never by an exception's class."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from cleanbreak.providers.keys.rate_limit import RateLimit

# What the words of an answer say about a limit. Only these are looked for; the text is not kept.
_PER_DAY = re.compile(r"requests_per_day|per[ _]?day|\brpd\b|daily", re.IGNORECASE)
_TOKENS = re.compile(r"tokens_per_min|tokens per min|\btpm\b", re.IGNORECASE)
_NO_MONEY = re.compile(
    r"insufficient_quota|insufficient quota|billing|credit balance", re.IGNORECASE
)
_PROJECT = re.compile(r"project", re.IGNORECASE)
_KEY = re.compile(r"api[ _]key|credential", re.IGNORECASE)

# "1s", "6m0s", "250ms", "1.5": how headers and bodies write a length of time.
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)?")
_SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}

_MINUTE_HEADERS = ("x-ratelimit-reset-requests", "x-ratelimit-reset-tokens", "x-ratelimit-reset")


class LimitedError(Exception):
    """The provider's limits are reached (internal)."""

    def __init__(self, limit: RateLimit) -> None:
        self.limit = limit


class RejectedError(Exception):
    """The provider does not accept the key (internal)."""


class TransientError(Exception):
    """It may work if it is sent again (internal). ``why`` is a status or the kind of an error."""

    def __init__(self, why: str) -> None:
        self.why = why


class RefusedError(Exception):
    """It will not work if it is sent again (internal). ``status`` is the provider's."""

    def __init__(self, status: int) -> None:
        self.status = status


def refusal(status: int, headers: Mapping[str, str], body: bytes, now: datetime) -> Exception:
    """The exception that stands for an answer that is not a success.

    Args:
        status: the status code.
        headers: by names in small letters.
        body: read for a few words and a time; never kept.
        now: for headers that name a moment.
    """
    text = body[:10_000].decode("utf-8", "replace")
    if status == HTTPStatus.PAYMENT_REQUIRED or (status in (403, 429) and _NO_MONEY.search(text)):
        return LimitedError(RateLimit("rpd", _scope(text), _retry_after(headers, text, now)))
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return LimitedError(RateLimit(_kind(text), _scope(text), _retry_after(headers, text, now)))
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return RejectedError()
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.REQUEST_TIMEOUT:
        return TransientError(f"status {status}")
    return RefusedError(status)


def _kind(text: str) -> Any:
    if _PER_DAY.search(text):
        return "rpd"
    return "tpm" if _TOKENS.search(text) else "rpm"


def _scope(text: str) -> Any:
    if _PROJECT.search(text):
        return "project"
    return "credential" if _KEY.search(text) else "model"


def _retry_after(headers: Mapping[str, str], text: str, now: datetime) -> float | None:
    """How long to wait, from the first place that says so."""
    if (value := headers.get("retry-after-ms")) and (seconds := _duration(value + "ms")):
        return seconds
    if value := headers.get("retry-after"):
        seconds = _duration(value)
        return _until(value, now) if seconds is None else seconds
    if found := re.search(r'"retryDelay"\s*:\s*"([^"]{1,20})"', text):
        return _duration(found[1])
    resets = [_duration(headers[name]) for name in _MINUTE_HEADERS if name in headers]
    return max((seconds for seconds in resets if seconds is not None), default=None)


def _duration(value: str) -> float | None:
    """Seconds of "6m0s", "250ms" or "20"; ``None`` if it is no length of time.

    >>> _duration("6m0s"), _duration("250ms"), _duration("20"), _duration("soon")
    (360.0, 0.25, 20.0, None)
    """
    value = value.strip()
    if not value or _DURATION.sub("", value):
        return None
    seconds = sum(float(number) * _SECONDS[unit] for number, unit in _DURATION.findall(value))
    return seconds if math.isfinite(seconds) else None


def _until(value: str, now: datetime) -> float | None:
    """Seconds until an HTTP date; ``None`` if it is none."""
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())

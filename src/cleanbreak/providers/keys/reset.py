"""When a quota of a day begins again."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def next_reset(now: datetime, zone: str) -> datetime:
    """The next midnight of a provider's time zone; of UTC where the zone is not known here.

    >>> from datetime import UTC
    >>> next_reset(datetime(2026, 1, 1, 12, tzinfo=UTC), "UTC").isoformat()
    '2026-01-02T00:00:00+00:00'
    """
    try:
        local = now.astimezone(ZoneInfo(zone))
    except ZoneInfoNotFoundError:
        local = now
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return (midnight + timedelta(days=1)).astimezone(now.tzinfo)

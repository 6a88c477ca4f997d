"""Which key may be used for a model now; and if none, when."""

import logging
import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self

from cleanbreak.errors import (
    KeyRejectedError,
    KeysMissingError,
    ProviderUnavailableError,
    RequestTooLargeError,
    RunInterruptedError,
)
from cleanbreak.providers.catalogue import catalogue
from cleanbreak.providers.catalogue.records import Provider, Quota
from cleanbreak.providers.keys.clock import Clock, SystemClock
from cleanbreak.providers.keys.cooldowns import Cooldown, Cooldowns
from cleanbreak.providers.keys.credential import Credential, model_bucket, shared_bucket
from cleanbreak.providers.keys.key_files import default_folder, find_keys, key_files
from cleanbreak.providers.keys.lease import Lease, Outcome
from cleanbreak.providers.keys.rate_limit import RateLimit
from cleanbreak.providers.keys.reset import next_reset
from cleanbreak.providers.keys.traffic import Traffic, traffic_of

_log = logging.getLogger(__name__)

# How long a key rests after a refusal that does not say: longer after each in a row. Routers that
# waited two minutes each time spent their attempts on quotas that were gone for the day.
_RESTS_SECONDS = (60.0, 120.0, 600.0, 3600.0)
_SHORTEST_SECONDS, _LONGEST_SECONDS = 0.1, 24 * 3600.0

# A wait is for an event; this only limits what a missed one costs, and how long a stop may take.
_SLICE_SECONDS = 2.0

Stop = Callable[[], bool]
Jitter = Callable[[], float]


def _later() -> float:
    """A tenth at most, and never earlier than the provider said: workers do not wake together."""
    return random.uniform(1.0, 1.1)  # noqa: S311 (spreads load, protects nothing)


class KeyScheduler:
    """Chooses keys for one model. Sends nothing, retries nothing. Safe between threads.

    Keys are taken in turn, by all schedulers of a process together. One is passed by while it has
    as many requests under way as it may, rests after a refusal, was rejected, or would go over the
    model's quota. Rests are kept in a file, so that a restart and other processes know them.
    """

    def __init__(
        self,
        provider: Provider,
        model_id: str,
        folder: Path,
        *,
        quota: Quota | None = None,
        only: str | None = None,
        clock: Clock | None = None,
        jitter: Jitter = _later,
    ) -> None:
        self._provider = provider
        self._model_id = model_id
        self._folder = folder
        self._quota = quota or Quota()
        self._only = only
        self._clock = clock or SystemClock()
        self._jitter = jitter
        self._traffic: Traffic = traffic_of(folder.absolute())
        self._cooldowns = Cooldowns(folder, self._clock)
        self._state: object = None
        self._credentials: tuple[Credential, ...] = ()
        self._load()

    @classmethod
    def for_model(
        cls,
        provider: str,
        model: str,
        folder: Path | str | None = None,
        *,
        only: str | None = None,
    ) -> Self:
        """A scheduler for a model of a provider.

        Args:
            provider: the provider's id, such as ``"openai"``.
            model: the model's id, such as ``"openai/text-embedding-3-small"``.
            folder: where the folders of keys lie; by default that of this user.
            only: the name of the only key to use, to find out whether it works.

        Raises:
            KeyInvalidError: if a key file that is enabled is not valid.
        """
        known = catalogue().provider(provider) or Provider(
            id=provider, api_key_variables=(f"{provider.upper()}_API_KEY",)
        )
        entry = catalogue().get(model)
        place = default_folder() if folder is None else Path(folder)
        return cls(known, model, place, quota=entry.quota if entry else None, only=only)

    @property
    def credentials(self) -> tuple[Credential, ...]:
        """The keys that allow this model; read again when a file has changed."""
        self._load()
        return self._credentials

    def check(self) -> None:
        """See that a key may be used, before any work.

        Raises:
            KeysMissingError, KeyRejectedError: as `lease`.
        """
        with self._traffic.condition:
            self._usable()

    def lease(
        self,
        tokens: int = 1,
        *,
        deadline_seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Lease:
        """A key for one request, as soon as one is free.

        Args:
            tokens: how many the request will have, at least about.
            deadline_seconds: how long to wait at most; by default as long as it takes.
            stop: asked at least every two seconds whether to give up.

        Raises:
            KeysMissingError: if no key allows the model.
            KeyRejectedError: if the provider has rejected all of them.
            RequestTooLargeError: if the quota of a minute is smaller than the request.
            ProviderUnavailableError: if none is free before the deadline; ``details`` has the time.
            RunInterruptedError: if `stop` says so.
        """
        self._check_size(tokens)
        started = self._clock.monotonic()
        condition = self._traffic.condition
        while True:
            with condition:
                found = self._select(tokens)
                if found is not None:
                    return found
                seconds = self._seconds_until_free(tokens)
                left = seconds
                if deadline_seconds is not None:
                    left = started + deadline_seconds - self._clock.monotonic()
                    if left <= 0 or seconds > left:
                        raise self._unavailable(seconds)
                if stop is not None and stop():
                    raise RunInterruptedError(
                        "Stopped while waiting for a free key; run the same command to continue."
                    )
                self._clock.wait(condition, min(seconds, left, _SLICE_SECONDS))

    def try_lease(self, tokens: int = 1) -> Lease | None:
        """A key for one request if one is free now, else ``None``.

        Raises:
            KeysMissingError, KeyRejectedError, RequestTooLargeError: as `lease`.
        """
        self._check_size(tokens)
        with self._traffic.condition:
            return self._select(tokens)

    def seconds_until_free(self, tokens: int = 1) -> float:
        """How long until a key may be free; 0 if one is now.

        Raises:
            KeysMissingError, KeyRejectedError: as `lease`.
        """
        with self._traffic.condition:
            usable = self._usable()
            if any(self._is_free(credential, tokens) for credential in usable):
                return 0.0
            return self._seconds_until_free(tokens)

    # --- choosing; the condition is held ---------------------------------------------------------

    def _select(self, tokens: int) -> Lease | None:
        usable = self._usable()
        cursors, place = self._traffic.cursors, (self._provider.id, self._model_id)
        first = cursors[place] % len(usable)
        cursors[place] = first + 1
        for credential in (*usable[first:], *usable[:first]):
            if self._is_free(credential, tokens):
                return self._reserved(credential, tokens)
        return None

    def _usable(self) -> tuple[Credential, ...]:
        """The keys that allow the model and are not rejected; at least one."""
        credentials = self.credentials
        if not credentials:
            raise self._missing()
        usable = tuple(
            credential
            for credential in credentials
            if credential.identity not in self._traffic.rejected
        )
        if not usable:
            raise KeyRejectedError(
                f"{self._provider.display_name or self._provider.id} accepts none of the keys; "
                f"replace them: cleanbreak keys add {self._provider.id}",
                provider=self._provider.id,
                keys=len(credentials),
            )
        return usable

    def _is_free(self, credential: Credential, tokens: int) -> bool:
        scope = credential.quota_scope
        if self._traffic.flows[scope].full or self._rests_until(credential) is not None:
            return False
        window = self._traffic.windows[self._bucket(credential)]
        now = self._clock.monotonic()
        return window.fits(self._quota, tokens, now, self._clock.now().date())

    def _reserved(self, credential: Credential, tokens: int) -> Lease:
        number = next(self._traffic.numbers)
        self._traffic.flows[credential.quota_scope].in_flight += 1
        self._traffic.windows[self._bucket(credential)].reserve(
            number, self._clock.monotonic(), tokens, self._clock.now().date()
        )
        return Lease(credential, number, tokens, self._ended)

    def _rests_until(self, credential: Credential) -> datetime | None:
        """When the latest cooldown that holds for the key and the model ends."""
        scope = credential.quota_scope
        # The bare scope is what earlier files have for all models.
        buckets = (scope, shared_bucket(scope), self._bucket(credential))
        ends = [end for bucket in buckets if (end := self._cooldowns.until(bucket)) is not None]
        return max(ends, default=None)

    def _seconds_until_free(self, tokens: int) -> float:
        """When the first key may be free. One that is only busy may be so at any moment."""
        return min(self._seconds_of(credential, tokens) for credential in self._usable())

    def _seconds_of(self, credential: Credential, tokens: int) -> float:
        now, date = self._clock.monotonic(), self._clock.now()
        window = self._traffic.windows[self._bucket(credential)]
        free = window.free_at(self._quota, tokens, now, date.date())
        end = self._rests_until(credential)
        rest = 0.0 if end is None else (end - date).total_seconds()
        if free is None:
            rest = max(rest, (next_reset(date, "UTC") - date).total_seconds())
            free = now
        seconds = max(free - now, rest)
        busy = self._traffic.flows[credential.quota_scope].full
        return max(seconds, _SLICE_SECONDS if busy else _SHORTEST_SECONDS)

    # --- what became of a request ----------------------------------------------------------------

    def _ended(self, lease: Lease, outcome: Outcome, tokens: int, limit: RateLimit | None) -> None:
        credential = lease.credential
        flow = self._traffic.flows[credential.quota_scope]
        window = self._traffic.windows[self._bucket(credential)]
        with self._traffic.condition:
            flow.in_flight -= 1
            if outcome is Outcome.SUCCEEDED:
                flow.answered()
                window.settle(lease.number, tokens)
                for bucket in (self._bucket(credential), shared_bucket(credential.quota_scope)):
                    self._traffic.refusals.pop(bucket, None)
            else:
                window.take_back(lease.number)
            if limit is not None:
                flow.refused()
                self._rest(credential, limit)
            if outcome is Outcome.REJECTED:
                self._traffic.rejected.add(credential.identity)
                _log.warning("%s rejected the key %s", self._provider.id, credential.name)
            self._traffic.condition.notify_all()

    def _rest(self, credential: Credential, limit: RateLimit) -> None:
        scope = credential.quota_scope
        of_model = limit.scope == "model"
        bucket = self._bucket(credential) if of_model else shared_bucket(scope)
        now = self._clock.now()
        end = now + timedelta(seconds=self._rest_seconds(bucket, limit, now))
        self._cooldowns.add(
            Cooldown(
                scope_key=bucket,
                provider_id=self._provider.id,
                credential_name=credential.name,
                project_id=credential.project_id,
                quota_scope=scope,
                model_id=self._model_id if of_model else None,
                limit_scope=limit.scope,
                last_limit_type=limit.kind,
                cooldown_until_utc=end,
            )
        )
        _log.info("%s rests until %s (%s)", bucket, end.isoformat(), limit.kind)

    def _rest_seconds(self, bucket: str, limit: RateLimit, now: datetime) -> float:
        if limit.retry_after_seconds is not None:
            seconds = limit.retry_after_seconds
        elif limit.kind == "rpd":
            end = next_reset(now, self._provider.daily_reset_zone)
            seconds = (end - now).total_seconds()
        else:
            row = self._traffic.refusals[bucket]
            self._traffic.refusals[bucket] = row + 1
            seconds = _RESTS_SECONDS[min(row, len(_RESTS_SECONDS) - 1)]
        return min(max(seconds * self._jitter(), _SHORTEST_SECONDS), _LONGEST_SECONDS)

    # --- keys ------------------------------------------------------------------------------------

    def _bucket(self, credential: Credential) -> str:
        return model_bucket(credential.quota_scope, self._model_id)

    def _load(self) -> None:
        """Read the keys again if a file was added, removed or changed."""
        state = tuple(_signatures(self._folder / self._provider.id))
        if state == self._state:
            return
        if self._provider.keyless:
            self._credentials = (Credential(self._provider.id, "no key", ""),)
        else:
            found = find_keys(self._provider, self._folder)
            for warning in found.warnings:
                _log.warning("%s: %s", warning.code, warning.message)
            self._credentials = tuple(
                key
                for key in found.credentials
                if key.allows(self._model_id) and self._only in (None, key.name)
            )
        self._state = state

    def _check_size(self, tokens: int) -> None:
        most = self._quota.tokens_per_minute
        if most is not None and tokens > most:
            raise RequestTooLargeError(
                f"The request has about {tokens:,} tokens and the quota is {most:,} a minute, so it "
                "can never be sent; make it smaller.",
                tokens=tokens,
                tokens_per_minute=most,
            )

    def _missing(self) -> KeysMissingError:
        name = self._provider.display_name or self._provider.id
        return KeysMissingError(
            f"There is no key of {name} for this model; add one: "
            f"cleanbreak keys add {self._provider.id}",
            provider=self._provider.id,
        )

    def _unavailable(self, seconds: float) -> ProviderUnavailableError:
        until = self._clock.now() + timedelta(seconds=seconds)
        name = self._provider.display_name or self._provider.id
        return ProviderUnavailableError(
            f"{name} takes no request before {until:%Y-%m-%d %H:%M:%S} UTC; run again then.",
            provider=self._provider.id,
            until=until.isoformat(timespec="seconds"),
        )


def _signatures(folder: Path) -> Iterator[tuple[str, int, int]]:
    for path in key_files(folder):
        try:
            found = path.stat()
        except OSError:
            continue
        yield path.name, found.st_mtime_ns, found.st_size

"""Which key may be used now: the rules of the scheduler, with a clock that stands still."""

import logging
import multiprocessing
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.errors import (
    KeyInvalidError,
    KeyRejectedError,
    KeysMissingError,
    ProviderUnavailableError,
    RequestTooLargeError,
    RunInterruptedError,
)
from cleanbreak.providers.catalogue.records import Provider
from cleanbreak.providers.keys import RateLimit
from cleanbreak.providers.keys.clock import SystemClock
from cleanbreak.providers.keys.cooldowns import FILE_NAME, Cooldown, Cooldowns
from cleanbreak.providers.keys.key_files import find_keys
from cleanbreak.providers.keys.traffic import MOST_IN_FLIGHT
from providers.keys_for_tests import (
    MODEL,
    OTHER,
    PROVIDER,
    SECRET,
    FakeClock,
    scheduler,
    write_key,
)

RPD = RateLimit(kind="rpd")


def names(keys):
    return [credential.name for credential in keys.credentials]


def free(keys):
    """The name of the next key that is free; it stays free."""
    lease = keys.try_lease()
    if lease is None:
        return None
    lease.release()
    return lease.credential.name


# --- key files -----------------------------------------------------------------------------------


def test_a_key_without_the_field_is_enabled(tmp_path):
    write_key(tmp_path, "a")
    assert names(scheduler(tmp_path)) == ["a"]


def test_a_disabled_key_is_passed_by_even_if_more_is_wrong_with_it(tmp_path):
    write_key(tmp_path, "a", enabled=False, api_key=None, allowed_models=3)
    write_key(tmp_path, "b")
    assert names(scheduler(tmp_path)) == ["b"]


@pytest.mark.parametrize(
    "fields",
    [
        {"enabled": "yes"},
        {"api_key": None},
        {"api_key": ""},
        {"api_key": 5},
        {"allowed_models": "acme/model-m"},
        {"name": 1},
        {"api_key": "env:CLEANBREAK_TEST_NO_SUCH_VARIABLE"},
    ],
    ids=str,
)
def test_an_enabled_key_that_is_not_valid_names_its_file_and_not_its_key(tmp_path, fields):
    write_key(tmp_path, "a", **fields)
    with pytest.raises(KeyInvalidError, match=r"'a\.json'") as caught:
        scheduler(tmp_path)
    assert SECRET not in str(caught.value.as_dict())
    assert str(tmp_path) not in str(caught.value.as_dict())


@pytest.mark.parametrize("data", [b"{", b"[]", b'"x"', b"\xff\xfe\x00"], ids=repr)
def test_a_file_that_is_no_object_is_not_valid(tmp_path, data):
    write_key(tmp_path, "a").write_bytes(data)
    with pytest.raises(KeyInvalidError, match=r"'a\.json'"):
        scheduler(tmp_path)


def test_a_file_with_a_byte_order_mark_loads(tmp_path):
    path = write_key(tmp_path, "a")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert names(scheduler(tmp_path)) == ["a"]


def test_no_folder_is_an_empty_pool(tmp_path):
    keys = scheduler(tmp_path / "none")
    assert keys.credentials == ()
    with pytest.raises(KeysMissingError, match="cleanbreak keys add acme"):
        keys.lease()


def test_only_keys_that_allow_the_model_are_used(tmp_path):
    write_key(tmp_path, "a", allowed_models=[OTHER])
    write_key(tmp_path, "b", allowed_models=[MODEL, OTHER])
    write_key(tmp_path, "c", allowed_models=[])
    assert names(scheduler(tmp_path)) == ["b", "c"]


def test_keys_come_from_variables_and_files_that_refer_to_them(tmp_path):
    provider = Provider(id="acme", api_key_variables=("ACME_API_KEY",))
    write_key(tmp_path, "a", api_key="env:MY_KEY")
    found = find_keys(provider, tmp_path, {"ACME_API_KEY": "one", "MY_KEY": "two"})
    assert [(key.name, key.key) for key in found.credentials] == [
        ("a", "two"),
        ("$ACME_API_KEY", "one"),
    ]


def test_a_key_comes_from_the_keyring(tmp_path, monkeypatch):
    keyring = pytest.importorskip("keyring", reason="the extra keyring is not installed")
    monkeypatch.setattr(keyring, "get_password", lambda service, user: f"{service}+{user}")
    write_key(tmp_path, "a", api_key="keyring:acme/me")
    assert find_keys(PROVIDER, tmp_path, {}).credentials[0].key == "acme+me"


def test_the_same_key_in_two_files_is_one_quota(tmp_path):
    write_key(tmp_path, "a", api_key="same")
    write_key(tmp_path, "b", api_key="same")
    scopes = {credential.quota_scope for credential in scheduler(tmp_path).credentials}
    assert scopes == {"acme:credential:a"}


def test_a_file_that_others_can_read_warns(tmp_path):
    write_key(tmp_path, "a").chmod(0o644)
    warnings = find_keys(PROVIDER, tmp_path, {}).warnings
    assert [warning.code for warning in warnings] == ["PROVIDER_KEY_FILE_OPEN"]
    assert str(tmp_path) not in warnings[0].message


def test_two_keys_of_one_name_warn(tmp_path):
    write_key(tmp_path, "a", name="x")
    write_key(tmp_path, "b", name="x")
    warnings = find_keys(PROVIDER, tmp_path, {}).warnings
    assert [warning.code for warning in warnings] == ["PROVIDER_KEY_NAME_TWICE"]


def test_a_key_that_is_added_meanwhile_is_seen(tmp_path):
    keys = scheduler(tmp_path)
    write_key(tmp_path, "a")
    assert free(keys) == "a"


# --- turns and places ----------------------------------------------------------------------------


def test_keys_take_turns_across_schedulers(tmp_path):
    for name in "abc":
        write_key(tmp_path, name)
    one, two = scheduler(tmp_path), scheduler(tmp_path)
    assert [free(one), free(two), free(one), free(two)] == ["a", "b", "c", "a"]


def test_a_busy_key_is_passed_by(tmp_path):
    write_key(tmp_path, "a")
    write_key(tmp_path, "b")
    keys = scheduler(tmp_path)
    taken = [keys.lease() for _ in range(2 * MOST_IN_FLIGHT)]
    counts = [lease.credential.name for lease in taken]
    assert counts.count("a") == counts.count("b") == MOST_IN_FLIGHT
    assert keys.try_lease() is None


def test_schedulers_of_two_models_see_each_others_requests(tmp_path):
    write_key(tmp_path, "a", project_id="p")
    write_key(tmp_path, "b", project_id="p")
    keys = scheduler(tmp_path)
    taken = [keys.lease() for _ in range(MOST_IN_FLIGHT)]
    assert scheduler(tmp_path, OTHER).try_lease() is None
    taken[0].release()
    assert scheduler(tmp_path, OTHER).try_lease() is not None


def test_a_pool_that_is_only_busy_waits(tmp_path):
    write_key(tmp_path, "a")
    keys = scheduler(tmp_path)
    keys_of_a_thread = scheduler(tmp_path, clock=None)
    keys_of_a_thread._clock = SystemClock()
    taken = [keys.lease() for _ in range(MOST_IN_FLIGHT)]
    got = []
    thread = threading.Thread(target=lambda: got.append(keys_of_a_thread.lease()))
    thread.start()
    taken[0].succeeded()
    thread.join(10)
    assert [lease.credential.name for lease in got] == ["a"]


def test_an_exception_or_a_cancel_leaves_no_key_busy(tmp_path):
    write_key(tmp_path, "a")
    keys = scheduler(tmp_path, requests_per_minute=1)
    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error), keys.lease():
            raise error
    # Neither counts as a request: they were not answered.
    assert free(keys) == "a"


def test_a_lease_ends_once(tmp_path):
    write_key(tmp_path, "a")
    keys = scheduler(tmp_path)
    with keys.lease() as lease:
        lease.succeeded()
        lease.limited(RPD)
    assert free(keys) == "a"


# --- refusals ------------------------------------------------------------------------------------


def test_a_limit_of_a_model_rests_the_key_for_that_model(tmp_path):
    write_key(tmp_path, "a")
    write_key(tmp_path, "b")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock)
    keys.lease().limited(RateLimit())
    assert {free(keys) for _ in range(4)} == {"b"}
    assert {free(scheduler(tmp_path, OTHER, clock)) for _ in range(4)} == {"a", "b"}


@pytest.mark.parametrize("scope", ["project", "credential"])
def test_a_limit_of_a_project_rests_all_its_keys_for_all_models(tmp_path, scope):
    write_key(tmp_path, "a", project_id="p")
    write_key(tmp_path, "b", project_id="p")
    write_key(tmp_path, "c")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock)
    keys.lease().limited(RateLimit(scope=scope))
    assert {free(keys) for _ in range(4)} == {"c"}
    assert {free(scheduler(tmp_path, OTHER, clock)) for _ in range(4)} == {"c"}


@pytest.mark.parametrize(("said", "seconds"), [(None, 60), (7, 7), (0, 0.1), (1e9, 24 * 3600)])
def test_a_rest_is_as_long_as_the_provider_says_or_a_minute(tmp_path, said, seconds):
    write_key(tmp_path, "a")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock)
    keys.lease().limited(RateLimit(retry_after_seconds=said))
    clock.pass_(seconds - 0.05)
    assert free(keys) is None
    clock.pass_(0.06)
    assert free(keys) == "a"


def test_refusals_in_a_row_rest_longer_until_a_success(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock)
    rests = []
    for _ in range(5):
        keys.lease().limited(RateLimit())
        rests.append(keys.seconds_until_free())
        clock.pass_(rests[-1])
    assert rests == [60, 120, 600, 3600, 3600]
    keys.lease().succeeded()
    keys.lease().limited(RateLimit())
    assert keys.seconds_until_free() == 60


def test_a_quota_of_a_day_rests_its_bucket_until_the_provider_begins_again(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    provider = Provider(id="acme", daily_reset_zone="America/Los_Angeles")
    keys = scheduler(tmp_path, clock=clock, provider=provider)
    keys.lease().limited(RPD)
    assert keys.seconds_until_free() == 19 * 3600  # 12:00 UTC is 05:00 in summer there
    assert free(scheduler(tmp_path, OTHER, clock)) == "a"


def test_a_rejected_key_is_not_asked_again_until_it_is_replaced(tmp_path):
    path = write_key(tmp_path, "a")
    write_key(tmp_path, "b")
    keys = scheduler(tmp_path)
    keys.lease().rejected()
    assert {free(keys) for _ in range(4)} == {"b"}
    keys.lease().rejected()
    with pytest.raises(KeyRejectedError, match="cleanbreak keys add acme"):
        keys.lease()
    path.write_text('{"api_key": "a new one that is longer"}', "utf-8")
    assert free(keys) == "a"


def test_places_are_halved_by_a_refusal_and_come_back_one_by_one(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock)

    def places():
        taken = []
        while (lease := keys.try_lease()) is not None:
            taken.append(lease)
        for lease in taken:
            lease.release()
        return len(taken)

    keys.lease().limited(RateLimit(retry_after_seconds=1))
    clock.pass_(2)
    assert places() == MOST_IN_FLIGHT // 2
    for _ in range(MOST_IN_FLIGHT // 2):
        keys.lease().succeeded()
    assert places() == MOST_IN_FLIGHT // 2 + 1


# --- quotas --------------------------------------------------------------------------------------


def test_a_window_slides_at_exactly_sixty_seconds(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock, requests_per_minute=2)
    keys.lease().succeeded()
    clock.pass_(10)
    keys.lease().succeeded()
    clock.pass_(49.9)
    assert free(keys) is None
    assert keys.seconds_until_free() == pytest.approx(0.1)
    clock.pass_(0.1)
    assert free(keys) == "a"


def test_tokens_of_a_minute_are_those_that_the_provider_counted(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock, tokens_per_minute=100)
    keys.lease(60).succeeded(tokens=20)
    assert keys.try_lease(90) is None
    keys.lease(80).succeeded()
    assert keys.try_lease(1) is None


def test_a_request_over_the_quota_of_a_minute_is_refused_at_once(tmp_path):
    write_key(tmp_path, "a")
    with pytest.raises(RequestTooLargeError):
        scheduler(tmp_path, tokens_per_minute=100).lease(101)


def test_requests_of_a_day_are_counted(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock, requests_per_day=1)
    keys.lease().succeeded()
    assert keys.seconds_until_free() == 12 * 3600
    clock.pass_(12 * 3600)
    assert free(keys) == "a"


def test_eight_threads_do_not_overbook_a_quota(tmp_path):
    write_key(tmp_path, "a")
    keys = scheduler(tmp_path, requests_per_minute=1)
    start = threading.Barrier(8)
    got = []

    def take():
        start.wait()
        got.append(keys.try_lease())

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(lease is not None for lease in got) == 1


OUTCOMES = st.lists(
    st.tuples(st.sampled_from(["take", "succeed", "fail", "limit", "wait"]), st.integers(1, 40)),
    max_size=60,
)


@given(steps=OUTCOMES, most=st.integers(1, 5), tokens=st.integers(40, 120))
def test_no_sequence_of_outcomes_goes_over_a_limit(tmp_path_factory, steps, most, tokens):
    """Requests and tokens in any 60 s, and requests under way, for a provider that counts all."""
    folder = tmp_path_factory.mktemp("keys")
    write_key(folder, "a")
    clock = FakeClock()
    keys = scheduler(folder, clock=clock, requests_per_minute=most, tokens_per_minute=tokens)
    open_leases, sent = [], []
    for step, number in steps:
        if step == "take" and (lease := keys.try_lease(number)) is not None:
            open_leases.append(lease)
            sent.append((clock.seconds, number))
        elif step == "wait":
            clock.pass_(number)
        elif open_leases and step == "succeed":
            open_leases.pop(0).succeeded()
        elif open_leases and step == "fail":
            lease = open_leases.pop()
            sent.remove((sent_at(sent, lease), lease.tokens))
            lease.release()
        elif open_leases and step == "limit":
            lease = open_leases.pop()
            sent.remove((sent_at(sent, lease), lease.tokens))
            lease.limited(RateLimit(retry_after_seconds=number))
        assert len(open_leases) <= MOST_IN_FLIGHT
        recent = [count for at, count in sent if at + 60 > clock.seconds]
        assert len(recent) <= most
        assert sum(recent) <= tokens


def sent_at(sent, lease):
    return max(at for at, tokens in sent if tokens == lease.tokens)


# --- waiting -------------------------------------------------------------------------------------


def test_a_wait_lasts_until_the_first_key_is_free(tmp_path):
    write_key(tmp_path, "a")
    write_key(tmp_path, "b")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock)
    keys.lease().limited(RateLimit(retry_after_seconds=30))
    keys.lease().limited(RateLimit(retry_after_seconds=9))
    assert keys.lease().credential.name == "b"
    assert sum(clock.waits) == pytest.approx(9)
    assert max(clock.waits) <= 2


def test_a_deadline_ends_a_wait_with_the_time(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock)
    keys.lease().limited(RateLimit(retry_after_seconds=30))
    with pytest.raises(ProviderUnavailableError) as caught:
        keys.lease(deadline_seconds=3)
    assert caught.value.details["until"] == "2026-05-04T12:00:30+00:00"
    assert clock.waits == []


def test_a_stop_ends_a_wait(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock)
    keys.lease().limited(RateLimit(retry_after_seconds=30))
    with pytest.raises(RunInterruptedError):
        keys.lease(stop=lambda: len(clock.waits) == 2)
    assert sum(clock.waits) == 4


# --- what is kept --------------------------------------------------------------------------------


def test_a_cooldown_is_known_after_a_restart(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    scheduler(tmp_path, clock=clock).lease().limited(RateLimit(retry_after_seconds=50))
    assert Cooldowns(tmp_path, clock).until("acme:credential:a:model:acme/model-m") is not None


def test_a_cooldown_of_an_earlier_file_under_the_bare_scope_holds(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    (tmp_path / FILE_NAME).write_text(
        '{"acme:credential:a": {"scope_key": "acme:credential:a", "provider_id": "acme", '
        '"credential_name": "a", "limit_scope": "credential", "last_limit_type": "rpm", '
        '"cooldown_until_utc": "2026-05-04T12:01:00", "last_error_message": "old"}}',
        "utf-8",
    )
    assert scheduler(tmp_path, clock=clock).seconds_until_free() == 60


def test_a_state_file_that_is_damaged_is_ignored_with_a_warning(tmp_path, caplog):
    write_key(tmp_path, "a")
    (tmp_path / FILE_NAME).write_bytes(b"{")
    keys = scheduler(tmp_path)
    assert free(keys) == "a"
    assert "cannot be read" in caplog.text
    keys.lease().limited(RateLimit())
    assert free(keys) is None


def test_a_cooldown_ends_in_a_day_when_the_clock_was_set_back(tmp_path):
    write_key(tmp_path, "a")
    clock = FakeClock()
    keys = scheduler(tmp_path, clock=clock)
    keys.lease().limited(RateLimit(retry_after_seconds=3600))
    clock.pass_(-100 * 3600)
    assert keys.seconds_until_free() == 24 * 3600


def _write_cooldowns(folder: Path, name: str, count: int) -> None:
    clock = FakeClock()
    for number in range(count):
        bucket = f"{name}-{number}"
        Cooldowns(folder, clock).add(
            Cooldown(
                scope_key=bucket,
                provider_id="acme",
                credential_name=name,
                limit_scope="model",
                last_limit_type="rpm",
                cooldown_until_utc=clock.now().replace(hour=20),
            )
        )


@pytest.mark.slow
def test_two_processes_lose_no_cooldown_of_each_other(tmp_path):
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=_write_cooldowns, args=(tmp_path, name, 100)) for name in "ab"
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    known = Cooldowns(tmp_path, FakeClock())
    buckets = [f"{name}-{number}" for name in "ab" for number in range(100)]
    assert all(known.until(bucket) for bucket in buckets)


def test_no_key_is_in_a_log_an_error_a_repr_or_the_state_file(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    write_key(tmp_path, "a").chmod(0o644)
    keys = scheduler(tmp_path)
    seen = [repr(keys.credentials), repr(keys.lease())]
    keys.lease().limited(RPD)
    try:
        keys.lease(deadline_seconds=0)
    except ProviderUnavailableError as error:
        seen.append(str(error.as_dict()))
    other = scheduler(tmp_path, OTHER)
    other.lease().rejected()
    try:
        other.lease()
    except KeyRejectedError as error:
        seen.append(str(error.as_dict()))
    seen += [caplog.text, (tmp_path / FILE_NAME).read_text("utf-8")]
    assert len(seen) == 6
    assert not any(SECRET in text for text in seen)
    assert not any(str(tmp_path) in text for text in seen[2:])


def test_a_model_on_this_machine_needs_no_key(tmp_path):
    provider = Provider(id="ollama", keyless=True)
    keys = scheduler(tmp_path, provider=provider)
    names_taken = {keys.lease().credential.name for _ in range(MOST_IN_FLIGHT)}
    assert names_taken == {"no key"}
    assert keys.try_lease() is None

"""Fixtures that all tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

PROJECT = Path(__file__).parents[1]

# No deadline: machines that run other work as well are slow now and then, and that is no fault.
# CI tries the same examples each time, so that a failure comes from the change and not from luck;
# everyone else tries new ones.
settings.register_profile(
    "ours",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
# For `make quick`.
settings.register_profile("quick", settings.get_profile("ours"), max_examples=25)
settings.load_profile("ours")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The command line keeps its last search here, and not in the folder of who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
            patch.setenv(variable, str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of cases and corpora beside the project; tests that need it skip without it."""
    folder = PROJECT.parent / "shared"
    if not (folder / "cases").is_dir():
        pytest.skip("the shared cases and corpus are not here")
    return folder

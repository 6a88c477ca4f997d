"""Ctrl-C and SIGTERM as a request to stop."""

import os
import signal
import threading

import pytest

from cleanbreak.cli.signals import stoppable


@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_requests_a_stop_and_the_second_ends_the_process(
    number: signal.Signals,
) -> None:
    """After the first, and after the block, the handler is the one from before."""
    before = signal.getsignal(number)
    with stoppable() as stop:
        assert not stop()
        os.kill(os.getpid(), number)
        assert stop()
        assert before == signal.getsignal(number)
    assert before == signal.getsignal(number)


def test_outside_the_main_thread_signals_stay_as_they_are() -> None:
    """Python allows handlers in the main thread only."""
    found: list[bool] = []

    def look() -> None:
        with stoppable() as stop:
            found.append(stop())

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [False]


@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
def test_a_line_says_at_once_that_ctrl_c_was_heard(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing changed on the screen until the run stopped, so that people pressed it again."""
    with stoppable():
        os.kill(os.getpid(), signal.SIGINT)
        assert "Ctrl-C again" in capsys.readouterr().err

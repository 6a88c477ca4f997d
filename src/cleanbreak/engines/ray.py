"""Cut a corpus on a cluster with Ray Data (extra ``ray``).

Each actor builds the splitter once; rows travel as Arrow batches; a source that cannot be read is a
row of its own. Ray starts the tasks of a lost worker or node again, and as cutting gives the same
wherever it runs, nothing is lost and nothing is there twice.
"""

import os
import pickle
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cleanbreak.core.splitters import Splitter
from cleanbreak.engines.files import File, LocalFile, RemoteFile, distinct, list_remote
from cleanbreak.engines.shards import Encoded, EncodeJob
from cleanbreak.errors import CleanbreakError, DependencyMissingError
from cleanbreak.export.parquet import arrow, schema
from cleanbreak.export.places import is_remote
from cleanbreak.readers.listing import list_files

# Files are large and take different times, so few go together.
_FILES_PER_BATCH = 8
_PATH, _CODE, _MESSAGE = "source_path", "error_code", "error_message"


class Split(NamedTuple):
    """What a corpus was cut into; both are datasets of Ray.

    ``chunks`` has a row a chunk, with the columns of docs/export-format.md. ``errors`` has a row for
    each source that could not be read or cut: ``source_path``, ``error_code``, ``error_message``.
    """

    chunks: Any
    errors: Any


def split_dataset(
    sources: Any,
    splitter: Splitter,
    *,
    reading: Mapping[str, Any] | None = None,
    actors: int | None = None,
) -> Split:
    """Cut files on a cluster; the rows are those of one machine, in no order.

    The corpus is cut once, and its rows are kept in the memory of the cluster, which moves to disks
    what does not fit.

    Args:
        sources: a path or address of a file or folder, or several, which every node must reach; or
            a dataset of Ray with a column ``path`` of files.
        splitter: cuts each of them; another process must be able to build it.
        reading: options of `cleanbreak.read`.
        actors: how many processes cut; by default as many as the cluster has room for.

    Raises:
        DependencyMissingError: without Ray or pyarrow.
        SourceError: if a folder holds no readable file.
    """
    data = _ray_data()
    rows = sources if isinstance(sources, data.Dataset) else _listed(data, sources, splitter)
    cut = rows.map_batches(
        _Cutter,
        fn_constructor_args=(EncodeJob(splitter, "parquet", dict(reading or {})),),
        batch_format="pyarrow",
        batch_size=_FILES_PER_BATCH,
        compute=data.ActorPoolStrategy(size=actors)
        if actors
        else data.ActorPoolStrategy(min_size=1),
    ).materialize()
    return Split(
        chunks=cut.map_batches(_chunks, batch_format="pyarrow", batch_size=None),
        errors=cut.map_batches(_errors, batch_format="pyarrow", batch_size=None),
    )


def do_on_cluster(files: Sequence[File], job: EncodeJob) -> Generator[Any, None, None]:
    """What `job` makes of each file, in order; for `split_to_shards`.

    Raises:
        DependencyMissingError: without Ray.
    """
    data = _ray_data()
    context = data.DataContext.get_current().copy()
    context.execution_options.preserve_order = True
    with data.DataContext.current(context):
        rows = _dataset(data, files)
        outcomes = rows.map_batches(
            _Doer,
            fn_constructor_args=(job,),
            batch_format="pyarrow",
            batch_size=_FILES_PER_BATCH,
            compute=data.ActorPoolStrategy(min_size=1),
        )
        for row in outcomes.iter_rows():
            yield pickle.loads(row["outcome"])  # noqa: S301 (of our own actors)


class _Doer:
    """What an actor runs for `do_on_cluster`."""

    def __init__(self, job: EncodeJob) -> None:
        self._job = job

    def __call__(self, batch: Any) -> Any:
        """The outcome of each file of a batch, packed."""
        pyarrow, _ = arrow()
        packed = [pickle.dumps(self._job(_file(row))) for row in batch.to_pylist()]
        return pyarrow.table({"outcome": pyarrow.array(packed, pyarrow.large_binary())})


class _Cutter:
    """What an actor runs for `split_dataset`: files in, rows out."""

    def __init__(self, job: EncodeJob) -> None:
        self._job = job

    def __call__(self, batch: Any) -> Iterator[Any]:
        """The rows of each file of a batch."""
        for row in batch.to_pylist():
            file = _file(row)
            yield _rows(file.relative, self._job(file))


def _rows(path: str, outcome: Encoded | CleanbreakError) -> Any:
    """The rows of a source, and the two columns of an error, one of which is there."""
    pyarrow, _ = arrow()
    columns = schema(pyarrow)
    for name in (_CODE, _MESSAGE):
        columns = columns.append(pyarrow.field(name, pyarrow.string()))
    if isinstance(outcome, CleanbreakError):
        failed = {_PATH: path, _CODE: outcome.code, _MESSAGE: outcome.message}
        return pyarrow.Table.from_pylist([failed], columns)
    table = pyarrow.ipc.open_stream(outcome.data).read_all()
    for name in (_CODE, _MESSAGE):
        table = table.append_column(name, pyarrow.nulls(table.num_rows, pyarrow.string()))
    return table.cast(columns)


def _chunks(table: Any) -> Any:
    return table.filter(table[_CODE].is_null()).drop_columns([_CODE, _MESSAGE])


def _errors(table: Any) -> Any:
    return table.filter(table[_CODE].is_valid()).select([_PATH, _CODE, _MESSAGE])


def _file(row: Mapping[str, Any]) -> File:
    path = row["path"]
    relative = row.get("relative") or path.rstrip("/").rpartition("/")[2]
    if is_remote(path):
        return RemoteFile(path, relative, size=0)
    return LocalFile(Path(path), relative)


def _listed(data: Any, sources: Any, splitter: Splitter) -> Any:
    """A dataset of the files that paths and addresses stand for."""
    given: Iterable[Any] = [sources] if isinstance(sources, (str, os.PathLike)) else sources
    by = splitter.recipe.splitter
    files: list[File] = []
    for source in given:
        if is_remote(source):
            files += list_remote(os.fspath(source), by)
        else:
            listing = list_files([Path(source)], by)
            for error in listing.unreadable:
                raise error
            files += [LocalFile(file.path.absolute(), file.relative) for file in listing.files]
    return _dataset(data, distinct(files))


def _dataset(data: Any, files: Sequence[File]) -> Any:
    rows = [{"path": file.where, "relative": file.relative} for file in files]
    return data.from_items(rows, override_num_blocks=max(1, len(rows) // _FILES_PER_BATCH))


def _ray_data() -> Any:
    try:
        import ray.data
    except ImportError:
        raise DependencyMissingError(
            "A cluster needs Ray; install cleanbreak[ray].", package="ray", extra="ray"
        ) from None
    return ray.data

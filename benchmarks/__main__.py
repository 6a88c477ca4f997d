"""Run every benchmark, or the ones named: ``python -m benchmarks boundary worlds``."""

import importlib
import pkgutil
import sys

import benchmarks

NOT_BENCHMARKS = {"__main__", "bm25", "by_meaning", "cached_vectors", "questions", "timing"}


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    found = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    for name in sys.argv[1:] or sorted(set(found) - NOT_BENCHMARKS):
        print(f"\n## {name}")
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()

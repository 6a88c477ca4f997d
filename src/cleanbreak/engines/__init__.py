"""Where work runs: this process, a pool of processes, later a distributed engine."""

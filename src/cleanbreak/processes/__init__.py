"""Child processes: one protocol for isolated reading and for pools."""

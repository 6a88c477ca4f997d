"""From breaks to chunks: counting, filling up to a limit, overlap, offsets."""

"""The name under which vectors of one profile lie together."""

import re

_LONGEST = 64
_OTHER = re.compile(r"[^a-z0-9_]+")


def collection_name(kind: str, *parts: str | int, key: str) -> str:
    """A name of small letters, digits and ``_`` that differs as soon as the key does.

    >>> collection_name("chunks", "acme", "acme/One.2", 384, key="0123456789abcdef")
    'chunks_acme_acme_one_2_384_0123456789abcdef'
    """
    name = "_".join([kind, *map(str, parts)]).lower()
    return f"{_OTHER.sub('_', name).strip('_')[:_LONGEST].rstrip('_')}_{key}"

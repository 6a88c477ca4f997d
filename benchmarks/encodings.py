"""Encodings found, on files named by their encoding (``cp1251--chardet-001.txt``), beside bare `chardet`."""

import chardet

from benchmarks.timing import SHARED, print_table
from cleanbreak.errors import SourceUndecodableError
from cleanbreak.readers.encoding import decode

# The named encoding, and larger ones in which its files are often really written.
LARGER = {
    "big5": ("big5hkscs",),
    "euc-jp": ("euc_jis_2004",),
    "euc-kr": ("cp949",),
    "iso8859-1": ("cp1252",),
    "iso8859-7": ("cp1253",),
    "iso8859-8": ("cp1255",),
    "iso8859-9": ("cp1254",),
    "shift-jis": ("cp932", "shift_jis_2004"),
}
# Japanese code pages map a few bytes to look-alikes: the wave dash, the minus, the double bar.
ALIKE = str.maketrans("〜−‖¢£¬—¦‾¯¥", "～－∥￠￡￢―￤~￣\\")


def main() -> None:
    """Print how many files are decoded right, and which are not."""
    files = sorted((SHARED / "corpus" / "encodings").glob("*--*.txt"))
    if not files:
        print("There are no files named by encoding beside the project.")
        return
    wrong, bare = [], 0
    for file in files:
        data = file.read_bytes()
        right = texts(file.name.partition("--")[0], data)
        try:
            found = decode(data, file.name)
        except SourceUndecodableError as error:
            wrong.append((file.name, error.code, ""))
        else:
            if same(found.text) not in right:
                wrong.append((file.name, found.encoding, f"{found.confidence:.2f}"))
        name = chardet.detect(data)["encoding"] or "ascii"
        bare += same(data.decode(name, "replace")) in right
    count = len(files)
    print_table(
        f"Encodings of {count} files",
        ("", "right", "share"),
        [
            ("cleanbreak", count - len(wrong), f"{1 - len(wrong) / count:.1%}"),
            ("bare chardet", bare, f"{bare / count:.1%}"),
        ],
    )
    print_table("Read wrong", ("file", "read as", "confidence"), wrong)


def texts(name: str, data: bytes) -> set[str]:
    """What counts as right: the text in the named encoding or a larger one."""
    return {same(data.decode(codec, "replace")) for codec in (name, *LARGER.get(name, ()))}


def same(text: str) -> str:
    return text.removeprefix("\ufeff").translate(ALIKE)


if __name__ == "__main__":
    main()

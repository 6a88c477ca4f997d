"""Errors of reading a source."""

from cleanbreak.errors.base import CleanbreakError


class SourceError(CleanbreakError):
    """A source cannot be used. ``details`` has ``name``, the file's name without its folder."""

    code = "SOURCE_ERROR"


class SourceMissingError(SourceError):
    """There is no file of that name."""

    code = "SOURCE_MISSING"


class SourceUnreadableError(SourceError):
    """The name is a folder, or the file may not be opened."""

    code = "SOURCE_UNREADABLE"


class SourceUnsupportedError(SourceError):
    """Neither the content nor the extension is of a kind that is read."""

    code = "SOURCE_UNSUPPORTED"


class SourceUndecodableError(SourceError):
    """The bytes are not text in the encoding tried. ``details`` has ``byte_offset``."""

    code = "SOURCE_UNDECODABLE"


class SourceEmptyError(SourceError):
    """The source holds no text, or only white space."""

    code = "SOURCE_EMPTY"


class SourceEncryptedError(SourceError):
    """The source needs a password, or is under DRM."""

    code = "SOURCE_ENCRYPTED"


class SourceMalformedError(SourceError):
    """The source is damaged beyond reading."""

    code = "SOURCE_MALFORMED"


class SourceLimitError(SourceError):
    """Reading went over a limit. ``details`` has ``limit`` (its name) and ``allowed``."""

    code = "SOURCE_LIMIT"

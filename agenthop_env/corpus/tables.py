"""The compiled form on disk: `.npy` columns and text blobs, written as a stream and read through memory maps.

A *column* is a one-dimensional array in the standard `.npy` format. A *blob* is text end to end; its column of
offsets says where each entry begins.
"""

from __future__ import annotations

import mmap
import os
from array import array
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import numpy as np
import numpy.typing as npt

ENCODING: Final = "utf-8"
ERRORS: Final = "surrogatepass"
"""Release text may hold lone surrogates (JSON escapes); they survive the round trip."""

_HEADER_BYTES: Final = 128


class Blob(Protocol):
    """Text end to end."""

    def read(self, begin: int, end: int) -> bytes:
        """The bytes between two offsets."""
        ...


class MemoryBlob:
    """A blob in memory, or one small enough to be mapped whole.

    Args:
        data: Its bytes.
    """

    __slots__ = ("_data",)

    def __init__(self, data: bytes | mmap.mmap) -> None:
        self._data = data

    def read(self, begin: int, end: int) -> bytes:
        """The bytes between two offsets."""
        return self._data[begin:end]


class FileBlob:
    """A blob read from its file, entry by entry.

    A read costs one system call and copies from the operating system's cache, which all processes share. A map would
    cost page faults, which are dearer than the call, and would make all that was ever read resident.

    Args:
        path: The file.
        size: Bytes that it must have.

    Raises:
        ValueError: If it has another size.
    """

    __slots__ = ("_descriptor", "_file")

    def __init__(self, path: Path, size: int) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115 - kept open; closes when it is let go
        self._descriptor = self._file.fileno()
        found = os.fstat(self._descriptor).st_size
        if found != size:
            raise ValueError(f"{path.name} has {found} bytes, not {size}")

    def __del__(self) -> None:
        """Close the file with the corpus that is let go."""
        if hasattr(self, "_file"):
            self._file.close()

    def read(self, begin: int, end: int) -> bytes:
        """The bytes between two offsets."""
        return os.pread(self._descriptor, end - begin, begin)


def encode(text: str) -> bytes:
    """Text as the bytes of a blob."""
    return text.encode(ENCODING, ERRORS)


class ColumnWriter:
    """Appends to a column; on disk where a path is given, else in memory.

    Args:
        dtype: NumPy type of the entries, little-endian.
        path: File to write, or None.
    """

    def __init__(self, dtype: str, path: Path | None = None) -> None:
        self.dtype = np.dtype(dtype).newbyteorder("<")
        self.count = 0
        self._parts: list[bytes] = []
        self._file: BinaryIO | None = None
        if path is not None:
            self._file = open(path, "wb")  # noqa: SIM115 - closed by `finish`
            self._file.write(b"\0" * _HEADER_BYTES)

    def append(self, values: npt.ArrayLike | array[Any]) -> None:
        """Add entries to the end."""
        data = np.asarray(values, dtype=self.dtype)
        self.count += data.size
        raw = data.tobytes()
        if self._file is None:
            self._parts.append(raw)
        else:
            self._file.write(raw)

    def finish(self) -> npt.NDArray[Any] | None:
        """Close the column; returns it where it was kept in memory."""
        if self._file is None:
            return np.frombuffer(
                b"".join(self._parts), dtype=self.dtype.str
            )  # by name: native, so views read it
        self._file.seek(0)
        self._file.write(_header(self.dtype, self.count))
        _sync_and_close(self._file)
        return None


def _header(dtype: np.dtype[Any], count: int) -> bytes:
    """The beginning of a `.npy` file of a one-dimensional array, always of one length."""
    described = f"{{'descr': '{dtype.str}', 'fortran_order': False, 'shape': ({count},), }}"
    head = b"\x93NUMPY\x01\x00" + (_HEADER_BYTES - 10).to_bytes(2, "little")
    return head + described.ljust(_HEADER_BYTES - 11).encode("ascii") + b"\n"


class BlobWriter:
    """Appends entries to a blob and keeps their offsets.

    Args:
        path: File to write, or None for memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.offsets = array("Q", [0])
        self.size = 0
        self._parts: list[bytes] = []
        self._file: BinaryIO | None = open(path, "wb") if path is not None else None  # noqa: SIM115

    def append(self, data: bytes) -> int:
        """Add one entry; returns its index."""
        if self._file is None:
            self._parts.append(data)
        else:
            self._file.write(data)
        self.size += len(data)
        self.offsets.append(self.size)
        return len(self.offsets) - 2

    def finish(self) -> bytes | None:
        """Close the blob; returns it where it was kept in memory."""
        if self._file is None:
            return b"".join(self._parts)
        _sync_and_close(self._file)
        return None


def _sync_and_close(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()


class MappedFile:
    """A file mapped for reading, shared between processes by the operating system.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._name = path.name
        with open(path, "rb") as file:
            empty = os.fstat(file.fileno()).st_size == 0
            self._map = None if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.data: bytes | mmap.mmap = self._map if self._map is not None else b""

    def column(self, dtype: str) -> npt.NDArray[Any]:
        """The file as a column, without copying.

        Args:
            dtype: NumPy type that the entries must have.

        Raises:
            ValueError: If the file is not what `ColumnWriter` writes for that type.
        """
        kind = np.dtype(np.dtype(dtype).newbyteorder("<").str)  # by name: native, so views read it
        size = len(self.data)
        count = (size - _HEADER_BYTES) // kind.itemsize
        if size < _HEADER_BYTES or self.data[:_HEADER_BYTES] != _header(kind, count) or self._map is None:
            raise ValueError(f"{self._name} is not a column of type {kind.str}")
        if size != _HEADER_BYTES + count * kind.itemsize:
            raise ValueError(f"{self._name} has {size} bytes, which is no whole number of entries")
        return np.frombuffer(self._map, dtype=kind, count=count, offset=_HEADER_BYTES)

    def forget_pages(self) -> None:
        """Let the operating system take back the resident pages; the next read maps them again."""
        if self._map is not None and hasattr(self._map, "madvise"):
            self._map.madvise(mmap.MADV_DONTNEED)

"""Tables and boards for pandas and numpy, where they are installed."""

from __future__ import annotations

from typing import Any


def frame(rows: list[dict[str, Any]]) -> Any:
    """Returns rows as a pandas `DataFrame`.

    Raises `ModuleNotFoundError` without pandas: `pip install arena-reader[tables]`.
    """
    import pandas

    return pandas.DataFrame(rows)


def array(board: list[list[int]]) -> Any:
    """Returns a board as a numpy array of bytes.

    Raises `ModuleNotFoundError` without numpy: `pip install arena-reader[tables]`.
    """
    import numpy

    return numpy.array(board, dtype=numpy.uint8)

"""Prints where the bot is, if the arena asks for it. This file needs no edit.

If a turn has used up its fuel, `arena check` plays it again with the line `trace` on standard input, to name the line of the loop.
In all other games the input is empty, and this costs a read.
"""

import os
import sys

ADAPTER = os.path.dirname(__file__)
"""The folder of this file. Its frames and those of the standard library are not shown."""

_is_first_call = True


def follow_if_asked() -> None:
    """Reads at the first call of an object if it is to be followed."""
    global _is_first_call
    if _is_first_call:
        _is_first_call = False
        if os.read(0, 5) == b"trace":
            _follow()


def _follow() -> None:
    """Prints the stack at each new line, and at the lines whose count is a power of two: some are in the loop that does not end."""
    monitoring = sys.monitoring
    count, seen = 0, set()

    def at_line(code, line):
        nonlocal count
        if not _is_own(code):
            return monitoring.DISABLE
        count += 1
        if count & (count - 1) == 0 or (code, line) not in seen:
            seen.add((code, line))
            _print_stack(sys._getframe(1))

    monitoring.use_tool_id(monitoring.PROFILER_ID, "arena")
    monitoring.register_callback(monitoring.PROFILER_ID, monitoring.events.LINE, at_line)
    monitoring.set_events(monitoring.PROFILER_ID, monitoring.events.LINE)


def _is_own(code) -> bool:
    return not code.co_filename.startswith((ADAPTER + "/", "/python", "<"))


def _print_stack(frame) -> None:
    """Prints a stack in the form of a traceback, which the arena knows."""
    frames = []
    while frame is not None:
        if _is_own(frame.f_code):
            frames.append(f'  File "{frame.f_code.co_filename}", line {frame.f_lineno}, in {frame.f_code.co_name}')
        frame = frame.f_back
    lines = "\n".join(reversed(frames))
    print(f"Traceback (most recent call last):\n{lines}\nin a loop, or in a long search", file=sys.stderr, flush=True)

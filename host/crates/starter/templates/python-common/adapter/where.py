"""Prints where the bot is, or the fuel of its functions, when the arena asks for that. This file needs no edit.

If a turn has used up its fuel or memory, `arena check` plays it again with the line `trace` on standard input, to name the line, and
`arena profile` plays a game with the line `profile`. In all other games the input is empty, and this costs a read.
"""

import os
import sys
import time

ADAPTER = os.path.dirname(__file__)
"""The folder of this file. Its frames and those of the standard library are not shown."""

# The component's Python has it. A type checker may judge by an older one, Python 3.11.
monitoring = getattr(sys, "monitoring")

_is_first_call = True


def follow_if_asked() -> None:
    """Reads the arena's request at the first call of an object."""
    global _is_first_call
    if _is_first_call:
        _is_first_call = False
        asked = os.read(0, 8)
        if asked == b"trace\n":
            _follow()
        elif asked == b"profile\n":
            _profile()


def _follow() -> None:
    """Prints the stack at each new line, and when the count of lines is a power of two, so that some are in the endless loop."""
    count, seen = 0, set()

    def at_line(code, line):
        nonlocal count
        if not _is_own(code):
            return monitoring.DISABLE
        count += 1
        if count & (count - 1) == 0 or (code, line) not in seen:
            seen.add((code, line))
            _print_stack(sys._getframe(1))

    _watch({monitoring.events.LINE: at_line})


def _profile() -> None:
    """Adds up the time of each stack, in fuel, and prints the sums when the arena's call returns."""
    spent, stack, since = {}, None, 0

    def go_on(now, new):
        nonlocal stack, since
        if stack:
            spent[stack] = spent.get(stack, 0) + now - since
        stack = new
        since = time.perf_counter_ns()

    def at_line(code, line):
        now = time.perf_counter_ns()
        if not _is_own(code):
            return monitoring.DISABLE
        go_on(now, ";".join(frame.f_code.co_qualname for frame in _own_frames(sys._getframe(1))))

    def at_return(code, offset, value):
        now = time.perf_counter_ns()
        if not _is_own(code):
            return monitoring.DISABLE
        go_on(now, ";".join(frame.f_code.co_qualname for frame in _own_frames(sys._getframe(1))[:-1]))
        if not stack:
            for each, time_ns in spent.items():
                print(f"arena profile: {each} {time_ns}", file=sys.stderr, flush=True)
            spent.clear()

    _watch({monitoring.events.LINE: at_line, monitoring.events.PY_RETURN: at_return})


def _watch(callbacks) -> None:
    monitoring.use_tool_id(monitoring.PROFILER_ID, "arena")
    for event, callback in callbacks.items():
        monitoring.register_callback(monitoring.PROFILER_ID, event, callback)
    monitoring.set_events(monitoring.PROFILER_ID, sum(callbacks))


def _is_own(code) -> bool:
    return not code.co_filename.startswith((ADAPTER + "/", "/python", "<"))


FRAMES_MAX = 40
"""The most frames of a stack. Chosen: those of a recursion without end would fill the log, and the memory."""


def _own_frames(frame) -> list:
    """The innermost frames of the bot's own code, the outermost of them first."""
    frames = []
    while frame is not None and len(frames) < FRAMES_MAX:
        if _is_own(frame.f_code):
            frames.append(frame)
        frame = frame.f_back
    return frames[::-1]


def _print_stack(frame) -> None:
    """Prints a stack as a traceback, a form that the arena recognises."""
    print("Traceback (most recent call last):", file=sys.stderr)
    for each in _own_frames(frame):
        code = each.f_code
        print(f'  File "{code.co_filename}", line {each.f_lineno}, in {code.co_name}', file=sys.stderr)
    print("in a loop, or in a long search", file=sys.stderr, flush=True)

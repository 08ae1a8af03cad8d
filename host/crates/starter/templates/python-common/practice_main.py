"""What all practice programs have in common: progress, a mean with its error, and another build of the bot."""

import importlib.util
import json
import sys
from statistics import mean, stdev
from time import monotonic
from typing import Iterator, Sequence

PROGRESS_SECONDS = 5
"""The time after which progress is printed, and between two lines of it."""


def with_progress(items: Sequence, what: str) -> Iterator:
    """Yields each item, and prints the number of those that are done when some seconds have passed."""
    printed = monotonic()
    for done, item in enumerate(items):
        if done > 0 and monotonic() - printed >= PROGRESS_SECONDS:
            printed = monotonic()
            print(f"{done} of {len(items)} {what}", file=sys.stderr, flush=True)
        yield item


def with_error(numbers: Sequence[int]) -> str:
    """Returns a mean with half of its 95 % interval."""
    error = f"{1.96 * stdev(numbers) / len(numbers) ** 0.5:.2f}" if len(numbers) > 1 else "?"
    return f"{mean(numbers):.2f} ± {error}"


def other_build(path: str) -> type:
    """Returns the class `Bot` of another file."""
    spec = importlib.util.spec_from_file_location("other_build", path)
    assert spec is not None and spec.loader is not None, f"{path} is not a Python file"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Bot


def recorded_calls(path: str) -> Iterator[tuple[dict, bool]]:
    """Yields each call in a file of `arena replay --calls`, and True with the last one."""
    with open(path, encoding="utf-8") as file:
        calls = [json.loads(line) for line in file]
    for number, call in enumerate(calls, start=1):
        yield call, number == len(calls)


def compare(call: dict, answer: object) -> None:
    """Says so if an answer is not the recorded one. The bot's memory may be another one then, too."""
    if call["answer"] is not None and call["answer"] != answer:
        turn = 0 if call["view"] is None else call["view"]["turn"]
        print(f"turn {turn}: {json.dumps(answer)}, and not {json.dumps(call['answer'])} as recorded", file=sys.stderr)

"""Builds the component first-bot.wasm: `python3 build.py`.

The first build makes the folder .venv and installs componentize-py of requirements.txt there. It contains its own Python.
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
VENV = FOLDER / ".venv"
OUTPUT = "first-bot.wasm"


def fail(message: str) -> None:
    sys.exit(f"build.py: {message}")


def install() -> Path:
    """Returns the path of componentize-py, installed in the version of requirements.txt."""
    program = VENV / "bin" / "componentize-py"
    stamp = VENV / "installed-requirements.txt"
    requirements = FOLDER / "requirements.txt"
    if program.exists() and stamp.exists() and stamp.read_bytes() == requirements.read_bytes():
        return program
    print("installing componentize-py into .venv, once: 72 MB", flush=True)
    try:
        venv.create(VENV, with_pip=True, clear=True)
    except (subprocess.CalledProcessError, ImportError, OSError) as error:
        fail(
            f"cannot make a virtual environment: {error}\n"
            "  next: install Python's venv and pip, on Debian as root: apt-get install python3-venv"
        )
    pip = [VENV / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, "-r", requirements]).returncode != 0:
        fail("cannot install componentize-py of requirements.txt from PyPI\n  next: check the network, then build again")
    stamp.write_bytes(requirements.read_bytes())
    return program


def main() -> None:
    if sys.version_info < (3, 10):
        fail(f"Python 3.10 or later is required, and this is {sys.version.split()[0]}\n  next: install a later Python")
    part = f".{OUTPUT}.part"
    command = [install(), "-d", "wit", "componentize", "-p", "adapter", "-p", ".", "app", "-o", part]
    # Without the tool's own backtrace, a traceback is easier to read.
    environment = {**os.environ, "RUST_BACKTRACE": "0"}
    if subprocess.run(command, cwd=FOLDER, env=environment, stdout=subprocess.DEVNULL).returncode != 0:
        fail("componentize-py failed; its message is above")
    os.replace(FOLDER / part, FOLDER / OUTPUT)
    print(f"built {OUTPUT}")


main()

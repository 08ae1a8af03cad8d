# Installs the tools of requirements.txt into .venv, from PyPI. Used by the scripts.

fail() {
    echo "$0: $1" >&2
    exit 1
}

if ! cmp -s requirements.txt .venv/installed-requirements.txt; then
    command -v python3 > /dev/null || fail "python3 is missing; it installs the compiler
  next: install it, on Debian as root: apt-get install python3-venv"
    echo "installing the tools of requirements.txt into .venv, once: several hundred MB"
    python3 -m venv --clear .venv || fail "cannot make a virtual environment
  next: install Python's venv and pip, on Debian as root: apt-get install python3-venv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt ||
        fail "cannot install the tools of requirements.txt from PyPI
  next: check the network, then build again"
    cp requirements.txt .venv/installed-requirements.txt
fi

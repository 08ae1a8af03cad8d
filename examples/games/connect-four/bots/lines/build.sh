#!/bin/sh
# Builds the bot as a component, lines.wasm. The first build makes a virtual environment in .venv, with componentize-py of PyPI: 72 MB.
set -eu
cd "$(dirname "$0")"
if [ ! -x .venv/bin/componentize-py ]; then
    python3 -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check componentize-py==0.25.1
fi
.venv/bin/componentize-py -d ../../wit -w player componentize app -o lines.wasm > /dev/null
echo "built lines.wasm"

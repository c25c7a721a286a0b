#!/usr/bin/env python3
"""Rewrites the outputs of the documented calls, as bash, curl and jq print them here.

After an intended change of answers:  src/test/scripts/documented-outputs.py http://127.0.0.1:8080 README.md docs/*/*.md \
                                     src/test/resources/documented-calls.md src/test/resources/command-lines.md

A block that starts with "curl" or a variable ("JOB=") is run with the service at the address, and the block right after it gets what was
printed. Variables hold for the rest of the page. Blocks without an output behind them only set variables. `DocumentationIT` checks the
same calls without jq.
"""
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```[a-z]*\n(.*?)^```$", re.S | re.M)
COMMAND = re.compile(r"(?:curl |[A-Z]+=)")
ASSIGNMENT = re.compile(r"^[A-Z]+=\$\(.*?\)$(?=\n|\Z)", re.S | re.M)


def printed(command: str, address: str, folder: str) -> str:
    command = command.replace("http://localhost:8080", address).replace("localhost:8080", address)
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, cwd=folder)
    if run.returncode != 0 or not run.stdout:
        raise SystemExit(f"{command}\nended with {run.returncode}: {run.stdout}{run.stderr}")
    return run.stdout if run.stdout.endswith("\n") else run.stdout + "\n"


def renewed(text: str, address: str, folder: str) -> tuple[str, list[int]]:
    """The page with its outputs, and the lines of calls whose output changed."""
    blocks = list(BLOCK.finditer(text))
    parts, end, changed, variables = [], 0, [], ""
    for block, following in zip(blocks, blocks[1:] + [None]):
        if not COMMAND.match(block[1]):
            continue
        if following and not text[block.end() : following.start()].strip():
            output = printed(variables + block[1], address, folder).replace("\r\n", "\n")
            if output != following[1]:
                changed.append(text.count("\n", 0, block.start()) + 1)
            parts += [text[end : following.start(1)], output]
            end = following.end(1)
        variables += "".join(assignment[0] + "\n" for assignment in ASSIGNMENT.finditer(block[1]))
    return "".join(parts) + text[end:], changed


def main() -> None:
    address, *pages = sys.argv[1:]
    for page in pages:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        with tempfile.TemporaryDirectory() as folder:
            written, changed = renewed(text, address, folder)
        if changed:
            with open(page, "w", encoding="utf-8") as file:
                file.write(written)
        print(page, "changed at lines" if changed else "as it was", *changed)


main()

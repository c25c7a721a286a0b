#!/usr/bin/env python3
"""Writes the outputs of the documented calls anew, as bash, curl and jq print them here.

After a meant change of answers:  src/test/scripts/documented-outputs.py http://127.0.0.1:8080 README.md docs/*.md \
                                 src/test/resources/documented-calls.md

A block that starts with "curl" or "JOB=" is run with the service at the address, and the block after it gets what was printed. Calls whose
output the page does not show in the next paragraph but one are left alone. `DocumentationIT` checks the same calls without jq.
"""
import re
import subprocess
import sys

CALL = re.compile(
    r"^```[a-z]*\n(?P<command>(?:curl|JOB=)[^`]*?)^```\n\n?(?:(?P<open>```[a-z]*\n)(?P<output>.*?)^```$)", re.S | re.M
)


def printed(command: str, address: str) -> str:
    command = command.replace("http://localhost:8080", address).replace("localhost:8080", address)
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300)
    if run.returncode != 0 or not run.stdout:
        raise SystemExit(f"{command}\nended with {run.returncode}: {run.stdout}{run.stderr}")
    return run.stdout if run.stdout.endswith("\n") else run.stdout + "\n"


def main() -> None:
    address, *pages = sys.argv[1:]
    for page in pages:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        changed = []

        def renewed(call: re.Match[str]) -> str:
            output = printed(call["command"], address).replace("\r\n", "\n")
            if output != call["output"]:
                changed.append(text.count("\n", 0, call.start()) + 1)
            start = call.start("output") - call.start()
            return call[0][:start] + output + "```"

        written = CALL.sub(renewed, text)
        if changed:
            with open(page, "w", encoding="utf-8") as file:
                file.write(written)
        print(page, "changed at lines" if changed else "as it was", *changed)


main()

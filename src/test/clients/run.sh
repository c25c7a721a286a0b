#!/usr/bin/env bash
# run.sh LANGUAGE URL FOLDER : makes a client from the API description of the service at URL, in FOLDER/LANGUAGE, and runs
# a small program on it, which prints what it read. LANGUAGE is typescript, java or python. Ends with 77, and says why,
# where what it needs is not to be had.
set -euo pipefail

language=$1 url=${2%/}
clients=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$3/$language"
folder=$(cd "$3/$language" && pwd)
jars=$(dirname "$folder")/jars

cannot() {
  echo "$language client: $*" >&2
  exit 77
}

# fetched WHAT COMMAND... : what comes from a registry; its words are shown only if it does not come.
fetched() {
  "${@:2}" >"$folder/fetch.log" 2>&1 </dev/null || { tail -5 "$folder/fetch.log" >&2; cannot "$1 cannot be fetched"; }
}

# generate GENERATOR OPTIONS... : only the client's code, without tests and pages.
generate() {
  [ -e "$jars/complete" ] ||
    fetched "openapi-generator" "$clients/../../../mvnw" -B -q -f "$clients/java/pom.xml" dependency:copy-dependencies \
      -DoutputDirectory="$jars"
  touch "$jars/complete"
  java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  "$java" -XX:TieredStopAtLevel=1 -jar "$jars"/openapi-generator-cli-*.jar generate -i "$folder/openapi.yaml" -o "$folder/client" \
    --global-property models,apis,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false \
    -g "$@" >"$folder/generate.log" 2>&1 || { cat "$folder/generate.log" >&2; exit 1; }
}

rm -rf "$folder/client"
curl -fsS "$url/v3/api-docs.yaml" -o "$folder/openapi.yaml"

case $language in
  typescript)
    command -v npm >/dev/null || cannot "npm is not on the PATH"
    mkdir "$folder/client"
    cp "$clients"/typescript/{package.json,main.ts} "$folder/client"
    cd "$folder/client"
    fetched "openapi-typescript" npm install --prefer-offline --no-audit --no-fund --no-package-lock
    npx openapi-typescript ../openapi.yaml -o api.ts >../generate.log 2>&1
    npx tsc --strict --skipLibCheck --noUncheckedIndexedAccess --target es2022 --module nodenext main.ts
    node main.js "$url"
    ;;
  java)
    generate java --library native -p openApiNullable=false,useJakartaEe=true
    mkdir "$folder/client/classes"
    "${java}c" -J-XX:TieredStopAtLevel=1 -nowarn -proc:none -cp "$jars/*" -d "$folder/client/classes" "$clients/java/Main.java" \
      $(find "$folder/client/src/main/java" -name '*.java')
    "$java" -cp "$folder/client/classes:$jars/*" Main "$url"
    ;;
  python)
    python=
    for candidate in python3 /usr/bin/python3; do
      "$candidate" -c 'import dateutil, pydantic, typing_extensions, urllib3' 2>/dev/null && python=$candidate && break
    done
    [ -n "$python" ] || cannot "pydantic, urllib3, dateutil or typing_extensions is missing" \
      "(apt-get install python3-pydantic python3-urllib3 python3-dateutil)"
    # Current clients need pydantic 2; older distributions have pydantic 1.
    generator=$("$python" -c 'import pydantic; print("python" if pydantic.VERSION >= "2" else "python-pydantic-v1")')
    generate "$generator"
    PYTHONPATH=$folder/client "$python" "$clients/python/main.py" "$url"
    ;;
  *)
    echo "unknown language $language" >&2
    exit 2
    ;;
esac

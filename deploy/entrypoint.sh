#!/bin/sh
# Exports mounted secrets as variables of the same name, so that no process list, image or compose file contains them.
set -eu
for name in QWEN_SERVER_TOKEN QWEN_SERVER_STORE OPENAI_API_KEY; do
  file="/run/secrets/$(printf '%s' "$name" | tr '[:upper:]' '[:lower:]')"
  if [ -r "$file" ]; then export "$name=$(cat "$file")"; fi
done
exec "$@"

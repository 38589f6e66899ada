#!/bin/sh
# Secrets that are mounted as files become the variables of the same name: no process list shows them, and no image
# and no compose file holds them.
set -eu
for name in QWEN_SERVER_TOKEN QWEN_SERVER_STORE OPENAI_API_KEY; do
  file="/run/secrets/$(printf '%s' "$name" | tr '[:upper:]' '[:lower:]')"
  if [ -r "$file" ]; then export "$name=$(cat "$file")"; fi
done
exec "$@"

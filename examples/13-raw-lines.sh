#!/bin/sh
# Drive qwen from a shell with JSON lines. Needs a POSIX shell and sed.
set -eu

echo '== one answer, one message per line'
echo '{"model":"qwen-coder","messages":[{"role":"user","content":"Hello"}]}' \
  | qwen --input-format stream-json --output-format stream-json

echo '== one answer, one delta per line'
echo '{"model":"qwen-coder","messages":[{"role":"user","content":"Greet me word by word"}]}' \
  | qwen --input-format stream-json --output-format stream-chunk-json

echo '== text in, lines out'
echo '/about' | qwen --output-format stream-json

echo '== a session: two prompts, a command and a heartbeat, read without a JSON tool'
{
  printf '%s\n' '{"session_id":"from-a-shell","input":"My cat is called Minka."}'
  printf '%s\n' '{"session_id":"from-a-shell","input":"What is my cat called?"}'
  printf '%s\n' '{"session_id":"from-a-shell","input":{"command":{"kind":"slash","path":["stats"],"args":""}}}'
  printf '%s\n' '{"type":"heartbeat_request","session_id":"from-a-shell"}'
} | qwen --input-format stream-json --output-format stream-json | while IFS= read -r line; do
  # Quotes in texts are escaped, so these patterns match only members of the protocol.
  case $line in
    *'"supported_protocol_versions":'*) echo 'ready' ;;
    *'"type":"result/'*) printf '%s\n' "$line" | sed 's/.*"type":"\(result\/[a-z_]*\)".*/\1/' ;;
    *'"summary":'*) echo 'end of turn' ;;
    *'"role":"assistant","content":"'*) printf '%s\n' "$line" | sed 's/.*"role":"assistant","content":"\([^"]*\)".*/\1/' ;;
  esac
done

#!/bin/sh
# qwen from a shell: one JSON object a line, in and out. Needs a POSIX shell and sed.
set -eu

echo '== one answer, a message a line'
echo '{"model":"qwen-coder","messages":[{"role":"user","content":"Hello"}]}' \
  | qwen --input-format stream-json --output-format stream-json

echo '== one answer, a piece a line'
echo '{"model":"qwen-coder","messages":[{"role":"user","content":"Greet me word by word"}]}' \
  | qwen --input-format stream-json --output-format stream-chunk-json

echo '== typed words in, lines out'
echo '/about' | qwen --output-format stream-json

echo '== a session: two prompts, a command and a sign of life, read without any JSON tool'
{
  printf '%s\n' '{"session_id":"from-a-shell","input":"My cat is called Minka."}'
  printf '%s\n' '{"session_id":"from-a-shell","input":"What is my cat called?"}'
  printf '%s\n' '{"session_id":"from-a-shell","input":{"command":{"kind":"slash","path":["stats"],"args":""}}}'
  printf '%s\n' '{"type":"heartbeat_request","session_id":"from-a-shell"}'
} | qwen --input-format stream-json --output-format stream-json | while IFS= read -r line; do
  # Quotes inside of texts are escaped, so these words stand nowhere but where the protocol puts them.
  case $line in
    *'"supported_protocol_versions":'*) echo 'ready' ;;
    *'"type":"result/'*) printf '%s\n' "$line" | sed 's/.*"type":"\(result\/[a-z_]*\)".*/\1/' ;;
    *'"summary":'*) echo 'the turn is over' ;;
    *'"role":"assistant","content":"'*) printf '%s\n' "$line" | sed 's/.*"role":"assistant","content":"\([^"]*\)".*/\1/' ;;
  esac
done

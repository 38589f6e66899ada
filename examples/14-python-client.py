#!/usr/bin/env python3
"""Drive qwen with JSON lines over stdin and stdout. Needs only the standard library of Python 3.9 or newer."""
import json
import subprocess
import sys

PROMPT = sys.argv[1] if len(sys.argv) > 1 else "Write hello into hello.txt."
ARGS = ["qwen", "--input-format", "stream-json", "--output-format", "stream-chunk-json"]
qwen = subprocess.Popen(ARGS, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # bytes: a line ends with 0x0A only


def send(line):
    qwen.stdin.write(json.dumps(line).encode() + b"\n")
    qwen.stdin.flush()


def answer(question):
    """Answer a control_request. Without an answer the agent denies the call."""
    request = question["request"]
    allowed = request["subtype"] == "can_use_tool" and request["tool_name"] in ("write_file", "edit")
    print(f"[{request.get('tool_name', request['subtype'])}: {'yes' if allowed else 'no'}]")
    verdict = {"behavior": "allow"} if allowed else {"behavior": "deny", "message": "only files may be written"}
    body = {"subtype": "success", "request_id": question["request_id"], "response": verdict}
    send({"type": "control_response", "response": body})


def read_until(is_it):
    """Print text and answer questions until a line matches."""
    for text in qwen.stdout:
        line = json.loads(text)
        if line.get("type") == "control_request":
            answer(line)
        if "error" in line:
            sys.exit(f"qwen failed: {line['error']['message']}")
        for choice in line.get("choices", []):
            print(choice["delta"].get("content") or "", end="", flush=True)
        if is_it(line):
            return line
    sys.exit(f"qwen ended early, with code {qwen.wait()}")


receipt = read_until(lambda line: "protocol_version" in line.get("metadata", {}))
session = receipt["metadata"]["session_id"]

send({"session_id": session, "input": {"origin": "user", "parts": [{"type": "text", "text": PROMPT}]}})
end = read_until(lambda line: "summary" in line.get("metadata", {}))
print(f"\n[{end['metadata']['summary']['tool_calls']} tool calls]")

send({"session_id": session, "input": {"origin": "user", "parts": [], "command": {"kind": "slash", "path": ["stats"], "args": ""}}})
result = read_until(lambda line: line.get("type") == "result/command")["result"]
print(f"[/stats: {result['type']}]\n{result.get('content', '')}")

send({"type": "heartbeat_request", "session_id": session})
print("[heartbeat:", read_until(lambda line: line.get("type") == "result/heartbeat")["status"] + "]")

qwen.stdin.close()  # the agent finishes queued prompts, then exits
qwen.stdout.read()
sys.exit(qwen.wait())

"""Runs qwen in Harbor and Terminal-Bench 2: harbor run --agent-import-path qwen_agent:Qwen ..."""

import json
import os
import shlex
from pathlib import Path

from harbor.agents.installed.base import BaseInstalledAgent, ExecInput

LOGS = "/logs/agent"
KEYS = (
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "DASHSCOPE_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
)
# The part of a Harbor model name before the slash, as --auth-type.
PROTOCOLS = {"anthropic": "anthropic", "gemini": "gemini", "google": "gemini", "openai-responses": "openai-responses"}


def read_result(lines):
    """The last result line; earlier lines count only a part of the tokens."""
    for line in reversed(list(lines)):
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and message.get("type") == "result":
            return message
    return None


def command_for(instruction, model_name):
    """The command line of one task, without secrets."""
    provider, _, model = (model_name or "").partition("/")
    if not model:
        provider, model = "", provider
    words = ["qwen", "--yolo", "--output-format", "stream-json", "--dialect", "sdk"]
    words += ["--trajectory", f"{LOGS}/trajectory.json"]
    if provider in PROTOCOLS:
        words += ["--auth-type", PROTOCOLS[provider]]
    if model:
        words += ["--model", model]
    words += ["-p", instruction]
    return f"{shlex.join(words)} 2>{LOGS}/qwen.err | tee {LOGS}/qwen.jsonl"


class Qwen(BaseInstalledAgent):
    SUPPORTS_ATIF = True

    @staticmethod
    def name():
        return "qwen"

    @property
    def _install_agent_template_path(self):
        return Path(__file__).parent / "install-qwen.sh.j2"

    def create_run_agent_commands(self, instruction):
        env = {name: os.environ[name] for name in KEYS if os.environ.get(name)}
        return [ExecInput(command=command_for(instruction, self.model_name), env=env)]

    def populate_context_post_run(self, context):
        log = self.logs_dir / "qwen.jsonl"
        result = read_result(log.read_text(encoding="utf-8").splitlines()) if log.exists() else None
        if result is None:
            return
        usage = result.get("usage") or {}
        context.n_input_tokens = usage.get("input_tokens", 0)
        context.n_output_tokens = usage.get("output_tokens", 0)
        context.n_cache_tokens = usage.get("cache_read_input_tokens", 0)
        context.cost_usd = result.get("total_cost_usd")

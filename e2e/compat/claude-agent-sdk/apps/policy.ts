// A company policy as hooks: no secrets in what the model reads, a sandbox folder, and a check before the end.
// Run: node policy.ts prompt
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { HookCallback, HookInput, Options, SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import { query } from '@anthropic-ai/claude-agent-sdk';

const SECRET = /sk-[a-z0-9]+/g;

const redact: HookCallback = async (input: HookInput) => {
  if (input.hook_event_name !== 'PostToolUse') return {};
  if (input.tool_name === 'Bash') {
    const response = input.tool_response as { stdout: string; stderr: string };
    if (!response.stdout.match(SECRET)) return {};
    const updatedToolOutput = { ...response, stdout: response.stdout.replace(SECRET, '[secret]') };
    return { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } };
  }
  const text = JSON.stringify(input.tool_response);
  if (!text.match(SECRET)) return {};
  return { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'The file contains secrets.' } };
};

/** Moves every write into sandbox/. */
const sandbox: HookCallback = async (input) => {
  if (input.hook_event_name !== 'PreToolUse') return {};
  const toolInput = input.tool_input as { file_path: string };
  const file = path.join(input.cwd, 'sandbox', path.relative(input.cwd, toolInput.file_path));
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { ...toolInput, file_path: file },
    },
  };
};

const noSecretsInPrompts: HookCallback = async (input) => {
  if (input.hook_event_name !== 'UserPromptSubmit') return {};
  if (input.prompt.match(SECRET)) return { decision: 'block', reason: 'The prompt contains a secret.' };
  return {
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: `The office is ${input.cwd}.` },
  };
};

const reviewed: HookCallback = async (input) => {
  if (input.hook_event_name !== 'Stop' || input.stop_hook_active) return {};
  console.log(`about to stop: ${input.last_assistant_message}`);
  if (existsSync('sandbox/REVIEW.md')) return {};
  const output: SyncHookJSONOutput = { decision: 'block', reason: 'Write REVIEW.md first.' };
  return output;
};

const note =
  (text: string): HookCallback =>
  async (input) => {
    const detail = 'source' in input ? input.source : 'reason' in input ? input.reason : '';
    console.log(`${text} ${input.hook_event_name} ${detail}`);
    return {};
  };

const failed: HookCallback = async (input) => {
  if (input.hook_event_name === 'PostToolUseFailure') console.log(`${input.tool_name} failed: ${input.error !== ''}`);
  return {};
};

const options: Options = {
  permissionMode: 'default',
  allowedTools: ['Read', 'Bash'],
  hooks: {
    PreToolUse: [{ matcher: 'Write', hooks: [sandbox] }],
    PostToolUse: [{ matcher: 'Bash|Read', hooks: [redact], timeout: 10 }],
    PostToolUseFailure: [{ hooks: [failed] }],
    UserPromptSubmit: [{ hooks: [noSecretsInPrompts] }],
    Stop: [{ hooks: [reviewed] }],
    SessionStart: [{ hooks: [note('session')] }],
    SessionEnd: [{ hooks: [note('session')] }],
  },
};

for await (const message of query({ prompt: process.argv[2] ?? 'Read the settings.', options })) {
  if (message.type === 'result') console.log(message.subtype === 'success' ? message.result : message.errors.join());
}

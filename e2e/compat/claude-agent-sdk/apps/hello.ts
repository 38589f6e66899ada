// Greets, and keeps every script that the agent writes in one folder. Run: node hello.ts [prompt]
import { appendFileSync } from 'node:fs';
import * as path from 'node:path';
import type { HookCallback, HookJSONOutput, PreToolUseHookInput } from '@anthropic-ai/claude-agent-sdk';
import { query } from '@anthropic-ai/claude-agent-sdk';

const scripts = path.join(process.cwd(), 'custom_scripts');

const keepScriptsTogether: HookCallback = async (input): Promise<HookJSONOutput> => {
  if (input.hook_event_name !== 'PreToolUse') return { continue: true };
  const { tool_name: toolName, tool_input: toolInput } = input as PreToolUseHookInput;
  if (!['Write', 'Edit', 'MultiEdit'].includes(toolName)) return { continue: true };
  const filePath = (toolInput as { file_path?: string }).file_path ?? '';
  const extension = path.extname(filePath).toLowerCase();
  if (extension !== '.js' && extension !== '.ts') return { continue: true };
  if (filePath.startsWith(scripts + path.sep)) return { continue: true };
  return {
    decision: 'block',
    stopReason: `Scripts belong into ${scripts}. Write ${path.join(scripts, path.basename(filePath))} instead.`,
    continue: false,
  };
};

const audit: HookCallback = async (input) => {
  if (input.hook_event_name === 'PostToolUse' && input.tool_name === 'Bash') {
    const { command } = input.tool_input as { command: string };
    const { stdout } = input.tool_response as { stdout: string };
    appendFileSync('audit.log', `${command} -> ${stdout.trim()}\n`);
  }
  return {};
};

async function main(): Promise<void> {
  const conversation = query({
    prompt: process.argv[2] ?? 'Hello! Introduce yourself in one sentence.',
    options: {
      maxTurns: 100,
      cwd: process.cwd(),
      model: 'opus',
      executable: 'node',
      allowedTools: [
        'Task',
        'Bash',
        'Glob',
        'Grep',
        'LS',
        'ExitPlanMode',
        'Read',
        'Edit',
        'MultiEdit',
        'Write',
        'NotebookEdit',
        'WebFetch',
        'TodoWrite',
        'WebSearch',
        'BashOutput',
        'KillBash',
      ],
      hooks: {
        PreToolUse: [{ matcher: 'Write|Edit|MultiEdit', hooks: [keepScriptsTogether] }],
        PostToolUse: [{ matcher: 'Bash', hooks: [audit] }],
      },
    },
  });
  for await (const message of conversation) {
    if (message.type === 'assistant' && message.message) {
      const text = message.message.content.find((block: { type: string }) => block.type === 'text');
      if (text && 'text' in text) console.log('Agent says:', text.text);
    }
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

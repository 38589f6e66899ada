// Changes what the agent can reach while it runs, and starts the CLI by itself. Run: node servers.ts folder
import { spawn } from 'node:child_process';
import {
  createSdkMcpServer,
  type McpServerStatus,
  query,
  type SDKUserMessage,
  type SpawnedProcess,
  tool,
} from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const weather = createSdkMcpServer({
  name: 'weather',
  tools: [
    tool('forecast', 'The weather of a city.', { city: z.string() }, async ({ city }) => ({
      content: [{ type: 'text', text: `Sunny in ${city}.` }],
    })),
  ],
});
const clock = createSdkMcpServer({
  name: 'clock',
  version: '2.0.0',
  tools: [tool('now', 'The time.', {}, async () => ({ content: [{ type: 'text', text: 'noon' }] }))],
});

const show = (list: McpServerStatus[]): string => list.map(({ name, status }) => `${name} ${status}`).join(', ');

let started = 0;
const errors: string[] = [];
const turns = ['How is the weather?', 'What time is it?', 'And now?'];
let answered: () => void = () => undefined;
async function* prompts(): AsyncGenerator<SDKUserMessage> {
  for (const content of turns) {
    const answer = new Promise<void>((resolve) => {
      answered = resolve;
    });
    yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
    await answer;
  }
}

const running = query({
  prompt: prompts(),
  options: {
    cwd: process.cwd(),
    additionalDirectories: [process.argv[2] ?? '..'],
    env: { ...process.env, CLAUDE_AGENT_SDK_CLIENT_APP: 'servers/1.0' },
    stderr: (data: string) => errors.push(data),
    settingSources: [],
    strictMcpConfig: true,
    mcpServers: { weather, missing: { type: 'stdio', command: '/nonexistent/server', args: [] } },
    allowedTools: ['mcp__weather', 'mcp__clock__*', 'Read'],
    extraArgs: { verbose: null },
    spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }): SpawnedProcess => {
      started += 1;
      return spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'pipe'] });
    },
  },
});

let turn = 0;
for await (const message of running) {
  if (message.type === 'user' && Array.isArray(message.message.content)) {
    for (const block of message.message.content) {
      if (block.type !== 'tool_result') continue;
      const text = typeof block.content === 'string' ? block.content : JSON.stringify(block.content);
      console.log(block.is_error ? 'error' : text);
    }
  }
  if (message.type !== 'result') continue;
  turn += 1;
  if (turn === 1) {
    console.log(show(await running.mcpServerStatus()));
    const { added, removed, errors: failures } = await running.setMcpServers({ clock });
    console.log(`added ${added.join()} removed ${removed.join()} failed ${Object.keys(failures).join()}`);
  } else if (turn === 2) {
    await running.toggleMcpServer('clock', false);
    console.log(show(await running.mcpServerStatus()));
  }
  answered();
}
console.log(`started ${started}, stderr ${Array.isArray(errors)}`);

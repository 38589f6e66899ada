// The demo: an agent reads a file, asks this app for permission, edits the file and calls a tool in this process. The
// model is a scripted server on loopback, so no key is needed; everything else is real.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { type CanUseTool, createSdkMcpServer, query, type SDKMessage, tool } from '@qwen/sdk';
import { calls, lastText, says, startScriptedModel } from '@qwen/testkit';
import * as z from 'zod';

const workspace = await mkdtemp(join(tmpdir(), 'qwen-demo-'));
const menu = join(workspace, 'menu.md');
await writeFile(menu, '# Coffee bar\n\n- Espresso: ask at the bar\n- Filter: 3.20 EUR\n');

await using model = await startScriptedModel([
  calls({ name: 'read_file', input: { file_path: 'menu.md' } }),
  calls({ name: 'mcp__till__price_of', input: { drink: 'Espresso' } }),
  (request) =>
    calls({
      name: 'edit',
      input: {
        file_path: 'menu.md',
        old_string: 'Espresso: ask at the bar',
        new_string: `Espresso: ${lastText(request)}`,
      },
    }),
  says('The menu now shows the price of the espresso.'),
]);

const till = createSdkMcpServer({
  name: 'till',
  tools: [
    tool('price_of', 'The price of a drink, from the till.', { drink: z.string() }, async ({ drink }) => {
      step('tool', `price_of(${JSON.stringify(drink)}) runs in this process, pid ${process.pid}`);
      return { content: [{ type: 'text', text: '2.40 EUR' }] };
    }),
  ],
});

const canUseTool: CanUseTool = async (toolName, input) => {
  step('asked', `may the agent use ${toolName}?  ${JSON.stringify(input)}`);
  step('allow', 'yes');
  return { behavior: 'allow', updatedInput: input };
};

const prompt = 'Put the price of the espresso into menu.md.';
step('prompt', prompt);

await using conversation = query({
  prompt,
  options: {
    cwd: workspace,
    env: { ...model.env, QWEN_HOME: join(workspace, '.qwen-home') },
    canUseTool,
    mcpServers: { till },
    allowedTools: ['mcp__till__price_of'],
  },
});
for await (const message of conversation) show(message);

console.log(`\n${await readFile(menu, 'utf8')}`);
await rm(workspace, { recursive: true });

function show(message: SDKMessage): void {
  if (message.type === 'system' && message.subtype === 'init')
    step('agent', `model ${message.model}, in a child process`);
  if (message.type === 'assistant') {
    for (const block of message.message.content) {
      if (block.type === 'text') step('says', block.text);
      if (block.type === 'tool_use') step('calls', `${block.name} ${JSON.stringify(block.input)}`);
    }
  }
  if (message.type === 'result') {
    step(message.is_error ? 'failed' : 'done', `${message.num_turns} model calls in ${message.duration_ms} ms`);
    if (message.is_error) process.exitCode = 1;
  }
}

function step(what: string, text: string): void {
  const colour = what === 'asked' ? 'yellow' : what === 'failed' ? 'red' : what === 'tool' ? 'magenta' : 'cyan';
  console.log(`${styleText([colour, 'bold'], what.padStart(7))}  ${text}`);
}

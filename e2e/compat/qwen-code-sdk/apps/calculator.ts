// A calculator as an MCP server of the app, for a chat with two questions. Run: node calculator.ts
import { createSdkMcpServer, isSDKResultMessage, type Query, query, type SDKUserMessage, tool } from '@qwen-code/sdk';
import { z } from 'zod3';

let additions = 0;
const add = tool('add', 'Adds two numbers.', { a: z.number(), b: z.number() }, async ({ a, b }) => {
  additions += 1;
  return { content: [{ type: 'text', text: String(a + b) }] };
});
const divide = tool('divide', 'Divides two numbers.', { a: z.number(), b: z.number() }, async ({ a, b }) => {
  if (b === 0) throw new Error('Division by zero');
  return { content: [{ type: 'text', text: String(a / b) }] };
});
const calculator = createSdkMcpServer({ name: 'calculator', version: '1.0.0', tools: [add, divide] });

let answered: () => void = () => undefined;
async function* questions(): AsyncGenerator<SDKUserMessage> {
  for (const content of ['What is 2 + 3?', 'What is 1 / 0?']) {
    const answer = new Promise<void>((resolve) => {
      answered = resolve;
    });
    yield { type: 'user', session_id: '', message: { role: 'user', content }, parent_tool_use_id: null };
    await answer;
  }
}

const chat: Query = query({
  prompt: questions(),
  options: {
    permissionMode: 'default',
    mcpServers: { calculator },
    allowedTools: ['mcp__calculator__add', 'mcp__calculator__divide'],
    ...(process.env['QWEN_CLI'] && { pathToQwenExecutable: process.env['QWEN_CLI'] }),
  },
});
let turn = 0;
for await (const message of chat) {
  if (message.type === 'assistant') {
    for (const block of message.message.content) if (block.type === 'tool_use') console.log(`calls ${block.name}`);
  }
  if (message.type === 'user' && Array.isArray(message.message.content)) {
    for (const block of message.message.content) {
      if (block.type === 'tool_result') console.log(block.is_error === true ? 'error' : JSON.stringify(block.content));
    }
  }
  if (isSDKResultMessage(message)) {
    turn += 1;
    console.log(`${turn}: ${message.is_error ? 'failed' : message.result}`);
    answered();
  }
}
console.log(`${additions} additions`);

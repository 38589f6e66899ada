// Run the agent on another machine, next to its files. Questions and tools stay in this app.
//   on the server:  QWEN_SERVER_TOKEN=... qwen serve --workspace ~/project
//   here:           QWEN_SERVER_TOKEN=... QWEN_SERVER_URL=https://agents.example node 17-remote-query.ts
import { AgentError, type CanUseTool, createSdkMcpServer, query, tool } from '@qwen/sdk';
import * as z from 'zod';

const url = process.env['QWEN_SERVER_URL'] ?? 'http://127.0.0.1:3000';

const till = createSdkMcpServer({
  name: 'till',
  tools: [
    tool('price_of', 'The price of a drink, from the till.', { drink: z.string() }, async ({ drink }) => {
      console.log(`asked here: the price of ${drink}`);
      return { content: [{ type: 'text', text: '2.40 EUR' }] };
    }),
  ],
});

const canUseTool: CanUseTool = async (toolName, input) => {
  console.log(`allowed here: ${toolName} ${String(input['file_path'])}`);
  return { behavior: 'allow', updatedInput: input };
};

const prompt = 'Put the price of the espresso into menu.md.';
const options = { server: { url }, canUseTool, mcpServers: { till }, allowedTools: ['mcp__till__price_of'] };

try {
  // If the connection breaks, it is re-established without losing or repeating messages.
  for await (const message of query({ prompt, options })) {
    if (message.type === 'result') console.log(message.result);
  }
} catch (error) {
  if (!AgentError.is(error) || error.code !== 'server_unreachable') throw error;
  console.log(`no server at ${url}; its session is stored there: ${String(error.data['sessionId'])}`);
}

// Offer a tool that runs in this process. The agent runs in a child process and calls it over the SDK.
import { createSdkMcpServer, query, tool } from '@qwen/sdk';
import * as z from 'zod';

const stock = new Map([
  ['espresso', 14],
  ['filter', 3],
]);

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool('stock_of', 'How many bags of a coffee are in stock.', { coffee: z.string() }, async ({ coffee }) => ({
      content: [{ type: 'text', text: `${stock.get(coffee) ?? 0} bags of ${coffee}` }],
    })),
  ],
});

const options = { mcpServers: { shop }, allowedTools: ['mcp__shop__stock_of'] };
const prompt = process.argv[2] ?? 'How much espresso do we have?';

for await (const message of query({ prompt, options })) {
  if (message.type === 'result') console.log(message.result);
}

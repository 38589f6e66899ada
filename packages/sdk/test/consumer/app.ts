// An app that uses the built package as its users do: compiled with the strictest settings, never run.
import { type CanUseTool, createSdkMcpServer, isSDKResultMessage, query, type SDKUserMessage, tool } from '@qwen/sdk';
import * as z from 'zod';

const canUseTool: CanUseTool = async (toolName, input, { signal }) =>
  signal.aborted ? { behavior: 'deny', message: toolName } : { behavior: 'allow', updatedInput: input };

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool('stock', 'In stock.', { coffee: z.string() }, async ({ coffee }) => ({
      content: [{ type: 'text', text: coffee.toUpperCase() }],
    })),
  ],
});

async function* prompts(): AsyncGenerator<SDKUserMessage> {
  yield { type: 'user', message: { role: 'user', content: 'hello' } };
}

export async function main(): Promise<string | undefined> {
  const conversation = query({ prompt: prompts(), options: { canUseTool, mcpServers: { shop } } });
  for await (const message of conversation) {
    if (isSDKResultMessage(message)) return message.result;
  }
  return conversation.getSessionId();
}

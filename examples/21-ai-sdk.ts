// Use the agent as a model of the AI SDK: node 21-ai-sdk.ts "your question"
import { createQwen } from '@qwen/sdk/ai';
import { streamText } from 'ai';

const prompt = process.argv[2] ?? 'In one sentence: what is in this folder?';
const qwen = createQwen({ permissionMode: 'plan' });

const { stream } = streamText({ model: qwen(), prompt });
for await (const part of stream) {
  if (part.type === 'text-delta') process.stdout.write(part.text);
  if (part.type === 'tool-call') console.log(`runs: ${part.toolName}`);
  if (part.type === 'error') console.error(part.error);
  if (part.type === 'finish') console.log(`\n${part.totalUsage.outputTokens} tokens written`);
}

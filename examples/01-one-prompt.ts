// Send one prompt and print the answer: node 01-one-prompt.ts "your question"
import { query } from '@qwen/sdk';

const prompt = process.argv[2] ?? 'In one sentence: what is in this folder?';

for await (const message of query({ prompt })) {
  if (message.type === 'result') console.log(message.is_error ? message.error?.message : message.result);
}

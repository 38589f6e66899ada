// Print text as it arrives. The deltas of a block add up to the block of the complete message.
import { query } from '@qwen/sdk';

const prompt = process.argv[2] ?? 'Explain what a pipe is.';

for await (const message of query({ prompt, options: { includePartialMessages: true } })) {
  if (message.type === 'stream_event' && message.event.type === 'content_block_delta') {
    const { delta } = message.event;
    if (delta.type === 'text_delta') process.stdout.write(delta.text);
  }
  if (message.type === 'result') console.log(`\n(${message.usage?.output_tokens ?? 0} tokens)`);
}

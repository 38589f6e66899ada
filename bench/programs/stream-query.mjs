// Reads a long answer delta by delta through query().
import { query } from '@qwen/sdk';
import { childFacts } from './child-facts.mjs';
import { createReport } from './stream-report.mjs';

const report = createReport();
let measured = () => {};

// Closing the input would end the child before it is inspected.
async function* prompts() {
  yield { type: 'user', message: { role: 'user', content: 'Say many words.' } };
  await new Promise((resolve) => {
    measured = resolve;
  });
}

const conversation = query({ prompt: prompts(), options: { includePartialMessages: true } });
for await (const message of conversation) {
  if (message.type === 'stream_event' && message.event.type === 'content_block_delta') {
    report.note(message.event.delta.text);
  }
  if (message.type === 'result') {
    report.print(childFacts(conversation.pid));
    measured();
  }
}

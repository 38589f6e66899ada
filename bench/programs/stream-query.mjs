// An app that reads a long answer piece by piece through query().
import { query } from '@qwen/sdk';
import { childFacts } from './child-facts.mjs';
import { createReport } from './stream-report.mjs';

const report = createReport();
const conversation = query({ prompt: 'Say many words.', options: { includePartialMessages: true } });
for await (const message of conversation) {
  if (message.type === 'stream_event' && message.event.type === 'content_block_delta')
    report.note(message.event.delta.text);
  // The child still lives here: it waits for the end of its input.
  if (message.type === 'result') report.print(childFacts(conversation.pid));
}

// Stop a turn without ending the session. The next prompt continues from the current history.
import { query, type SDKUserMessage } from '@qwen/sdk';

let stopped: () => void = () => {};
const firstTurnStopped = new Promise<void>((resolve) => {
  stopped = resolve;
});

async function* prompts(): AsyncGenerator<SDKUserMessage> {
  yield { type: 'user', message: { role: 'user', content: 'Count to a million, one number per line.' } };
  await firstTurnStopped;
  yield { type: 'user', message: { role: 'user', content: 'Never mind. Say hello instead.' } };
}

const conversation = query({ prompt: prompts(), options: { includePartialMessages: true } });
let isCounting = true;

for await (const message of conversation) {
  if (isCounting && message.type === 'stream_event' && message.event.type === 'content_block_delta') {
    isCounting = false;
    await conversation.interrupt();
  }
  if (message.type === 'result') {
    console.log(message.subtype === 'interrupted' ? 'stopped' : message.result);
    stopped();
  }
}

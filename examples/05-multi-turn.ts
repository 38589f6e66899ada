// Send several prompts in one session: yield each one when it is ready. The session stays open in between.
import { query, type SDKUserMessage } from '@qwen/sdk';

const questions = ['Remember the number 7.', 'Which number was it?'];
const answered: (() => void)[] = [];

async function* prompts(): AsyncGenerator<SDKUserMessage> {
  for (const content of questions) {
    const result = new Promise<void>((resolve) => answered.push(resolve));
    yield { type: 'user', message: { role: 'user', content } };
    await result;
  }
}

for await (const message of query({ prompt: prompts() })) {
  if (message.type === 'result') {
    console.log(message.result);
    answered.shift()?.();
  }
}

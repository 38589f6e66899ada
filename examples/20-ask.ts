// Ask one question, with a deadline: node 20-ask.ts "your question"
import { AskError, ask } from '@qwen/sdk';

const prompt = process.argv[2] ?? 'In one sentence: what is in this folder?';

try {
  const { text, usage, cost, messages, sessionId } = await ask(prompt, {
    permissionMode: 'plan',
    signal: AbortSignal.timeout(300_000),
  });
  console.log(text);
  console.log(`${usage.input_tokens} tokens in, ${usage.output_tokens} out, ${cost ?? 'unknown'} USD`);

  const answers = messages.filter(({ type }) => type === 'assistant');
  console.log(`calls of the model: ${answers.length}`);

  const more = await ask('And in three words?', { resume: sessionId });
  console.log(more.text);
} catch (error) {
  if (!(error instanceof AskError)) throw error;
  console.error(`${error.code}: ${error.message}`);
}

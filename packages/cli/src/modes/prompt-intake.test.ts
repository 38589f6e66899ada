import type { PromptMessage } from '@qwen/agent';
import { AgentError, createDeferred } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { PromptIntake } from './prompt-intake.js';

const said = (content: string): PromptMessage => ({ uuid: content, content });
const nobody = (error: AgentError) => {
  throw error;
};

function openIntake(expand: (text: string) => Promise<string | undefined>) {
  const happened: unknown[] = [];
  const ended = createDeferred<void>();
  const intake = new PromptIntake({
    submit: ({ content }) => happened.push(content),
    expand,
    endInput: () => {
      happened.push('end');
      ended.resolve();
    },
  });
  return { intake, happened, ended: ended.promise };
}

test('what is no command passes at once', () => {
  const { intake, happened } = openIntake(() => Promise.reject(new Error('not asked')));
  intake.take(said('one'), nobody);
  intake.endInput();
  expect(happened).toEqual(['one', 'end']);
});

test('a command is exchanged for what it stands for, and nothing overtakes it', async () => {
  const expansion = createDeferred<string>();
  const { intake, happened, ended } = openIntake(() => expansion.promise);
  intake.take(said('/greet'), nobody);
  intake.take(said('two'), nobody);
  intake.endInput();
  expect(happened).toEqual([]);
  expansion.resolve('Say hello.');
  await ended;
  expect(happened).toEqual(['Say hello.', 'two', 'end']);
});

test('an unknown command stays as it is; one that fails says why', async () => {
  const { intake, happened, ended } = openIntake(async (text) => {
    if (text === '/broken') throw new AgentError('mcp_failed', 'nobody there');
    return undefined;
  });
  intake.take(said('/etc/hosts has a line too much'), nobody);
  intake.take(said('/broken'), nobody);
  intake.endInput();
  await ended;
  expect(happened).toEqual([
    '/etc/hosts has a line too much',
    '/broken\n\n[This command could not be carried out: nobody there]',
    'end',
  ]);
});

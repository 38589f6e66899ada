import type { PromptMessage } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { PromptIntake } from './prompt-intake.js';

const said = (content: string): PromptMessage => ({ uuid: content, content });
const nobody = (error: AgentError) => {
  throw error;
};

function openIntake(take: (prompt: PromptMessage) => Promise<void>) {
  const happened: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  const intake = new PromptIntake({
    submit: ({ content }) => happened.push(content),
    take,
    endInput: () => {
      happened.push('end');
      ended.resolve();
    },
  });
  return { intake, happened, ended: ended.promise };
}

test('what means nothing more passes at once', () => {
  const { intake, happened } = openIntake(() => Promise.reject(new Error('not asked')));
  intake.take(said('one'), nobody);
  intake.endInput();
  expect(happened).toEqual(['one', 'end']);
});

test.each(['/greet', 'see @a.ts'])('a literal %s passes at once', (text) => {
  const { intake, happened } = openIntake(() => Promise.reject(new Error('not asked')));
  intake.take(said(text), nobody, 'literal');
  expect(happened).toEqual([text]);
});

test.each(['/greet', '?', 'see @a.ts'])('%s is looked at first, and nothing overtakes it', async (text) => {
  verifies('F-01', 'CF-23');
  const taken = Promise.withResolvers<void>();
  const { intake, happened, ended } = openIntake(() => taken.promise);
  intake.take(said(text), nobody);
  intake.take(said('two'), nobody);
  intake.endInput();
  expect(happened).toEqual([]);
  taken.resolve();
  await ended;
  expect(happened).toEqual(['two', 'end']);
});

test('an empty prompt is refused, and the next one is accepted', async () => {
  const refused: string[] = [];
  const { intake, happened, ended } = openIntake(() => Promise.reject(new AgentError('overloaded', 'full')));
  intake.take(said('/broken'), ({ code }) => refused.push(code));
  intake.take(said('two'), nobody);
  intake.endInput();
  await ended;
  expect([refused, happened]).toEqual([['overloaded'], ['two', 'end']]);
});

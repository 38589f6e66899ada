import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const RANDOM_ID = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g;
const KEY = 'sk-canary-for-ids';

test('IDs are random, unique, unpredictable and contain no secret', async () => {
  verifies('S86');
  const question = { name: 'write_file', input: { file_path: 'a.txt', content: 'a' } };
  const batch = {
    toolCalls: Array.from({ length: 40 }, () => ({
      id: '',
      name: question.name,
      arguments: JSON.stringify(question.input),
    })),
  };
  await using fixture = await openCliFixture([batch, says('word '.repeat(4_000))]);
  const agent = await fixture.startMachine(['--include-partial-messages'], {
    env: { ...fixture.env, OPENAI_API_KEY: KEY },
  });
  agent.send(prompt('go'));
  for (let count = 0; count < 40; count += 1) {
    const { request_id } = await agent.next(QUESTION);
    agent.send(answer(request_id, { behavior: 'deny', message: 'No.' }));
  }
  await agent.next(RESULT);
  const text = agent.lines.map((line) => line.text).join('\n');
  const ids = [...new Set(text.match(RANDOM_ID))];
  expect(ids.length).toBeGreaterThan(1_500);
  // A counter or a clock would show as bits that keep their value: of 122 random bits each is set about half of the time.
  const bits = ids.map((id) => BigInt(`0x${id.replaceAll('-', '')}`));
  for (let bit = 0n; bit < 128n; bit += 1n) {
    const isFixed = (bit >= 76n && bit < 80n) || bit === 62n || bit === 63n;
    const share = bits.filter((value) => ((value >> bit) & 1n) === 1n).length / bits.length;
    if (!isFixed) expect(Math.abs(share - 0.5)).toBeLessThan(0.1);
  }
  expect(ids).not.toEqual(ids.toSorted());
  expect(text).not.toContain(KEY);
});

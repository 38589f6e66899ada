import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { countMessages } from './count-messages.js';

const HEAD = '{"type":"session"}';
const line = (type: string, content = 'x') => `\n{"type":"${type}","content":${JSON.stringify(content)}}`;

async function count(text: string): Promise<string> {
  await using folder = await temporaryFolder();
  return await countMessages(await folder.write('a.jsonl', text));
}

test('counts messages of users and models, and nothing that only resembles one', async () => {
  expect(await count(HEAD)).toBe('0');
  const told = line('user', '\n{"type":"user"') + line('tool_result') + line('assistant') + line('title');
  expect(await count(`${HEAD}${told}\n`)).toBe('2');
});

test('each message counts once, whatever the chunks', async () => {
  const piece = 1024 * 1024;
  for (let ahead = 0; ahead < 24; ahead += 1) {
    const filler = line('title', '-'.repeat(piece - HEAD.length - line('title', '').length - ahead));
    expect(await count(HEAD + filler + line('user') + line('assistant'))).toBe('2');
  }
});

test('a very long file returns a lower bound', async () => {
  const filler = line('title', '-'.repeat(17 * 1024 * 1024));
  expect(await count(HEAD + line('user') + filler + line('user'))).toBe('1+');
});

import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createFakeClock, isolatedEnvironment, temporaryFolder } from './index.js';

test('a temporary folder is removed with its contents', async () => {
  let path = '';
  {
    await using folder = await temporaryFolder();
    path = folder.path;
    expect(await folder.write('a/b.txt', 'text')).toBe(folder.resolve('a', 'b.txt'));
    expect(await folder.read('a/b.txt')).toBe('text');
  }
  expect(existsSync(path)).toBe(false);
});

test('the environment for a CLI contains no keys of the user', async () => {
  await using folder = await temporaryFolder();
  process.env['OPENAI_API_KEY'] = 'secret';
  try {
    const environment = isolatedEnvironment(folder.path, { EXTRA: '1' });
    expect(environment).toMatchObject({ HOME: folder.path, QWEN_HOME: folder.resolve('.qwen'), EXTRA: '1' });
    expect(environment).not.toHaveProperty('OPENAI_API_KEY');
  } finally {
    delete process.env['OPENAI_API_KEY'];
  }
});

test('a fake clock moves only on request', () => {
  const clock = createFakeClock({ startsAt: '2031-05-01T00:00:00Z' });
  expect([clock.nowMs(), clock.isoTime()]).toEqual([0, '2031-05-01T00:00:00.000Z']);
  clock.advance(1500);
  expect([clock.nowMs(), clock.isoTime()]).toEqual([1500, '2031-05-01T00:00:01.500Z']);
  expect(() => clock.advance(-1)).toThrow(RangeError);
});

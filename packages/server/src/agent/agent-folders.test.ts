import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { conversationFileOf, dataFolderOf, withAbsoluteHome } from './agent-folders.js';

test('a relative QWEN_HOME is relative to the server, for its agents too', () => {
  const launch = withAbsoluteHome({ env: { QWEN_HOME: 'data', HOME: '/home/me' } });
  expect(launch).toEqual({ env: { QWEN_HOME: resolve('data'), HOME: '/home/me' } });
  expect(conversationFileOf(launch, 'id')).toBe(resolve('data/sessions/id.jsonl'));
  expect(dataFolderOf({ env: { QWEN_HOME: 'data' } })).toBe(resolve('data'));
});

test('the default is the home folder of the agents', () => {
  const launch = { env: { QWEN_HOME: undefined, HOME: '/home/me' } };
  expect(withAbsoluteHome(launch)).toBe(launch);
  expect(dataFolderOf(launch)).toBe(join('/home/me', '.qwen'));
});

import { posix, win32 } from 'node:path';
import { ancestorsOf } from '@qwen/host/config/ancestors.js';
import { findConfigDir, sessionsFolder } from '@qwen/host/config/config-dir.js';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { shortenHome } from './list.js';

const WINDOWS = { rules: win32, home: 'C:\\Users\\Jürgen W' };

test.each([
  [undefined, 'C:\\Users\\Jürgen W\\.qwen'],
  ['D:\\qwen', 'D:\\qwen'],
  ['D:/qwen/', 'D:\\qwen'],
  ['own', 'E:\\work\\own'],
  ['..\\own', 'E:\\own'],
  ['\\own', 'E:\\own'],
  ['\\\\server\\share\\qwen', '\\\\server\\share\\qwen'],
])('on Windows QWEN_HOME=%s is %s', (given, expected) => {
  verifies('GAP-58');
  const environment = given === undefined ? {} : { QWEN_HOME: given };
  expect(findConfigDir(environment, 'E:\\work', WINDOWS)).toBe(expected);
  expect(sessionsFolder(expected, win32)).toBe(`${expected}\\sessions`);
});

test.each([
  [win32, 'C:\\a\\b', ['C:\\a\\b', 'C:\\a', 'C:\\']],
  [win32, 'C:/a/b', ['C:/a/b', 'C:/a', 'C:/']],
  [win32, '\\\\server\\share\\a', ['\\\\server\\share\\a', '\\\\server\\share\\']],
  [posix, '/a/b', ['/a/b', '/a', '/']],
])('the parent folders of a project end at its drive or share: %# %s', (rules, folder, expected) => {
  verifies('GAP-58');
  expect(ancestorsOf(folder, rules)).toEqual(expected);
});

test.each([
  [win32, 'C:\\Users\\me', 'C:\\Users\\me', '~'],
  [win32, 'c:\\users\\ME\\work', 'C:\\Users\\me', '~\\work'],
  [win32, 'C:\\Users\\meera', 'C:\\Users\\me', 'C:\\Users\\meera'],
  [win32, 'D:\\work', 'C:\\Users\\me', 'D:\\work'],
  [win32, '\\\\server\\share', 'C:\\Users\\me', '\\\\server\\share'],
  [posix, '/home/me/..work', '/home/me', '~/..work'],
  [posix, '/home/meera', '/home/me', '/home/meera'],
])('lists show folders in the native form: %# %s', (rules, folder, home, expected) => {
  verifies('GAP-58');
  expect(shortenHome(folder, home, rules)).toBe(expected);
});

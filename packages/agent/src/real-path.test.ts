import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { isInside } from './real-path.js';

test.each([
  ['/w/app', '/w/app', true],
  ['/w/app/x', '/w/app', true],
  ['/w/app/..x/y', '/w/app', true],
  ['/w/app-evil/x', '/w/app', false],
  ['/w', '/w/app', false],
  ['/', '/w/app', false],
  ['/w/app/x', '/', true],
])('isInside(%s, %s) is %s', (path, folder, expected) => {
  verifies('S31');
  expect(isInside(path, folder)).toBe(expected);
});

import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { hiddenPaths } from './policy.js';

test('secrets are hidden in HOME and in the home folder of the account', () => {
  const hidden = hiddenPaths({
    mode: 'read-only',
    roots: [],
    homeDirectory: '/elsewhere',
    dataDir: '/data',
    allowWrite: [],
    denyWrite: [],
    denyRead: [],
    allowRead: [],
    allowUnixSockets: [],
    limits: { processes: 1, memoryMiB: 1 },
  });
  expect(hidden).toEqual(expect.arrayContaining(['/elsewhere/.ssh', `${userInfo().homedir}/.ssh`, '/data']));
});

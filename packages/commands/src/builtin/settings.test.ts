import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, said, typeIn } from '../../test/fake-host.js';

test('/model shows and changes the model', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  expect(await said('/model', fake)).toBe('Model: qwen-plus\nOthers:\n  qwen-max');
  expect(await said('/model qwen-max', fake)).toBe('The model is now qwen-max.');
  expect(fake.doings).toEqual(['setModel qwen-max']);
  const { host } = fake;
  const refusing = { ...host.session, setModel: () => Promise.reject(new Error('no such model')) };
  expect(await typeIn('/model x', fakeHost({ session: refusing }))).toMatchObject({
    level: 'error',
    content: 'no such model',
  });
});

test('/approval-mode shows and changes the mode', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  expect(await said('/approval-mode', fake)).toContain('Approval mode: default\n');
  expect(await said('/approval-mode AUTO_EDIT', fake)).toContain('Approval mode is now auto-edit');
  expect(fake.doings).toEqual(['setMode auto-edit']);
  expect(await typeIn('/approval-mode all', fake)).toMatchObject({ level: 'error', code: 'usage' });
});

test('/hooks and /permissions', async () => {
  verifies('GAP-03');
  expect(await said('/hooks', fakeHost())).toBe('Hooks:\n  PreToolUse (Bash): ./guard.sh');
  expect(await said('/permissions', fakeHost())).toBe(
    'Approval mode: default\nNever:\n  Read(.env)\nUnasked:\n  Bash(git log:*)',
  );
});

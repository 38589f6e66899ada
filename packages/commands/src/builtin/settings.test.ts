import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/model shows and changes the model', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  expect(await messageOf('/model', fake)).toBe('Model: qwen-plus\nOther models:\n  qwen-max');
  expect(await messageOf('/model qwen-max', fake)).toBe('Model set to qwen-max.');
  expect(fake.calls).toEqual(['setModel qwen-max']);
  expect(await messageOf('/model qwen-mxa', fake)).toBe(
    'Model set to qwen-mxa. The provider does not list it. Did you mean qwen-max?',
  );
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
  expect(await messageOf('/approval-mode', fake)).toContain('Approval mode: default\n');
  expect(await messageOf('/approval-mode AUTO_EDIT', fake)).toContain('Approval mode set to auto-edit');
  expect(fake.calls).toEqual(['setMode auto-edit']);
  expect(await typeIn('/approval-mode all', fake)).toMatchObject({ level: 'error', code: 'usage' });
});

test('/hooks and /permissions', async () => {
  verifies('GAP-03');
  expect(await messageOf('/hooks', fakeHost())).toBe('Hooks:\n  PreToolUse (Bash): ./guard.sh');
  expect(await messageOf('/permissions', fakeHost())).toBe(
    'Approval mode: default\nDeny:\n  Read(.env)\nAllow:\n  Bash(git log:*)',
  );
});

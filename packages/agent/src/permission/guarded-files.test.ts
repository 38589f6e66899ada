import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ruleSet } from '../../test/calls.js';

test('files that would ask on their own are recognized, so that nothing reads them along with others', () => {
  verifies('S43');
  const rules = ruleSet({ ask: ['Read(secret/**)'], deny: ['Read(.env)'] });
  const guarded = (path: string) => rules.guards(`/real/app/${path}`);
  expect(
    ['.ssh/id_rsa', '.aws/credentials', 'keys/id_ed25519', '.cargo/credentials.toml', 'secret/plan.md'].map(guarded),
  ).toEqual([true, true, true, true, true]);
  expect(['src/a.ts', 'docs/secret.md', 'id_rsa.pub'].map(guarded)).toEqual([false, false, false]);
  expect(ruleSet({ ask: ['Read'] }).guards('/real/app/src/a.ts')).toBe(true);
  expect(ruleSet({}).guards('/real/app/src/a.ts')).toBe(false);
});

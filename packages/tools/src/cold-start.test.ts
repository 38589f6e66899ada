import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';

const program = (name: string) => fileURLToPath(new URL(`../test/programs/${name}`, import.meta.url));

test('creating the tools loads no large library', () => {
  verifies('O-33');
  const args = ['--conditions=@qwen/source', '--import', program('source-hooks.js'), program('prints-modules.ts')];
  const { declared, packages } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as {
    declared: number;
    packages: string[];
  };
  expect(declared).toBe(14);
  expect(packages).toContain('@qwen/protocol');
  for (const large of ['execa', 'diff', 'html-to-text', '@modelcontextprotocol/client', '@vscode/ripgrep']) {
    expect(packages).not.toContain(large);
  }
});

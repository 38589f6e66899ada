import { readdir } from 'node:fs/promises';
import { calls, says } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { CLI } from '../../spine/fixture.ts';
import { openBench } from '../run-app.ts';
import { describeApps } from './apps-contract.ts';

const write = (path: string) => calls({ name: 'write_file', input: { file_path: path, content: 'x' } });

// The same programs with the SDK that they were written for, and with only their import changed.
describe.each([
  ['@qwen-code/sdk', true],
  ['@qwen/sdk', false],
])('with %s over our CLI', (_sdk, keepsImport) => {
  describeApps({ cli: CLI, keepsImport, timeout: 30_000 });

  test('a team of subagents keeps to its rules, also in resumed and forked sessions', async () => {
    await using bench = await openBench((folder) => [
      calls({ name: 'task', input: { subagent_type: 'writer', description: 'write', prompt: 'Write.' } }),
      write(folder.resolve('note.txt')),
      write(folder.resolve('secret.txt')),
      says('Noted.'),
      says('Done.'),
      says('It wrote.'),
      says('Also here.'),
    ]);
    expect(await bench.run('qwen-code-sdk/apps/team', { keepsImport, env: { QWEN_CLI: CLI } })).toEqual([
      'knows its team: true',
      'member uses write_file',
      'member uses write_file',
      'Done.',
      'knows its team: true',
      'It wrote.',
      'same session: true',
      'knows its team: true',
      'Also here.',
      'other session: true',
    ]);
    expect(await readdir(bench.workspace.path)).toEqual(['note.txt']);
  });
});

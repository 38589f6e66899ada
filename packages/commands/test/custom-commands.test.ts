import { existsSync, symlinkSync } from 'node:fs';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CommandHost, createReferenceReader } from '../src/index.js';
import { createFileReferences, customCommands, runShellCommand } from '../src/node.js';
import { fakeHost, typeIn } from './fake-host.js';

// Command files with a real file system and a real shell.

const REVIEW = `description = "Code review helper"
prompt = """
Please review the following code:

@{{{args}}}

Focus on:
- Code quality
"""
`;

/** Runs a command in a project whose rules allow every shell command. */
async function type(text: string, folder: TemporaryFolder) {
  const cwd = folder.resolve('project');
  const shell: CommandHost['shell'] = {
    decide: async () => ({ behavior: 'allow', reason: 'A rule.' }),
    allow: async () => undefined,
    run: (command, signal) => runShellCommand({ command, folder: cwd, environment: process.env, signal }),
  };
  const references = createReferenceReader(createFileReferences({ cwd }));
  const source = customCommands({
    projectFolders: [folder.resolve('project/.qwen/commands'), folder.resolve('project/.claude/commands')],
    userFolders: [folder.resolve('home/commands')],
    isTrusted: () => true,
  });
  return typeIn(text, fakeHost({ shell, references }), { sources: [source] });
}

test('the command file of the specification reads the named file', async () => {
  verifies('S53');
  await using folder = await temporaryFolder();
  await folder.write('project/.qwen/commands/review.toml', REVIEW);
  await folder.write('project/src/index.ts', 'export const answer = 42;\n');
  const outcome = await type('/review src/index.ts', folder);
  expect(outcome).toMatchObject({
    type: 'submit_prompt',
    content: expect.stringContaining('export const answer = 42;'),
  });
  expect(outcome).toMatchObject({ content: expect.stringMatching(/^Please review[^]*- Code quality\n$/) });
});

test.each(['../secret.txt', '~/.ssh/id_rsa', '/etc/passwd', 'out/secret.txt', 'gone.ts', ''])(
  'a missing path or one outside the workspace is an error: "%s"',
  async (path) => {
    verifies('S53');
    await using folder = await temporaryFolder();
    await folder.write('project/.qwen/commands/review.toml', REVIEW);
    await folder.write('secret.txt', 'TOP SECRET');
    symlinkSync('..', folder.resolve('project/out'));
    const outcome = await type(`/review ${path}`, folder);
    expect(outcome).toMatchObject({ type: 'message', level: 'error' });
    expect(JSON.stringify(outcome)).not.toContain('TOP SECRET');
  },
);

test('output replaces its placeholder, and arguments cannot inject commands', async () => {
  verifies('S53');
  await using folder = await temporaryFolder();
  await folder.write('project/.qwen/commands/say.toml', `prompt = 'A !{printf "[%s]" {{args}}; exit 3} B'`);
  expect(await type("/say '; touch C; '", folder)).toMatchObject({
    content: `A ['; touch C; ']\n[printf "[%s]" ''\\''; touch C; '\\'''; exit 3: exit code 3] B`,
  });
  expect(existsSync(folder.resolve('project/C'))).toBe(false);
});

test('a folder or glob expands to its files', async () => {
  await using folder = await temporaryFolder();
  await folder.write('home/commands/all.toml', 'prompt = "@{{{args}}}"');
  await folder.write('project/docs/a.md', 'first page');
  await folder.write('project/docs/b.md', 'second page');
  for (const path of ['docs', 'docs/*.md']) {
    const outcome = await type(`/all ${path}`, folder);
    expect(JSON.stringify(outcome)).toMatch(/first page[^]*second page/);
  }
});

test('a command of Claude Code reads files, arguments and output', async () => {
  await using folder = await temporaryFolder();
  await folder.write(
    'project/.claude/commands/fix.md',
    '---\ndescription: Fix an issue\nargument-hint: [issue] [file]\nallowed-tools: Bash(git:*)\n---\n' +
      'Fix $1 in @$2, see @docs/missing.md.\nDone so far: !`printf "%s" "$1"`\n',
  );
  await folder.write('project/src/index.ts', 'export const answer = 42;\n');
  const outcome = await type('/fix "issue 7; $(rm -rf x)" src/index.ts', folder);
  expect(outcome).toMatchObject({ type: 'submit_prompt', warnings: [expect.stringContaining('docs/missing.md')] });
  const text = JSON.stringify(outcome);
  expect(text).toContain('Fix issue 7; $(rm -rf x) in ');
  expect(text).toContain('export const answer = 42;');
  expect(text).toContain('see @docs/missing.md.');
  expect(text).toContain('Done so far: issue 7; $(rm -rf x)');
});

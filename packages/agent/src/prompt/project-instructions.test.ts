import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { FolderInstructions, loadProjectInstructions } from './project-instructions.js';

afterEach(() => vi.unstubAllEnvs());

test('reads the files from the repository root down, the nearest last', async () => {
  await using folder = await temporaryFolder();
  await folder.write('AGENTS.md', 'above the repository');
  await folder.write('repo/.git/HEAD', '');
  await folder.write('repo/QWEN.md', 'root qwen\n');
  await folder.write('repo/AGENTS.md', 'root agents');
  await folder.write('repo/deep/er/QWEN.md', 'nearest');
  await folder.write('repo/other/QWEN.md', 'elsewhere');
  const { text, files, notices } = loadProjectInstructions(folder.resolve('repo/deep/er'));
  const names = ['repo/AGENTS.md', 'repo/QWEN.md', 'repo/deep/er/QWEN.md'].map((name) => folder.resolve(name));
  expect(files).toEqual(names);
  expect(text).toBe(`# ${names[0]}\n\nroot agents\n\n# ${names[1]}\n\nroot qwen\n\n# ${names[2]}\n\nnearest`);
  expect(notices).toEqual([]);
});

test('without a repository, reads from the home folder down, or the folder alone elsewhere', async () => {
  await using folder = await temporaryFolder();
  await folder.write('AGENTS.md', 'somebody else’s');
  await folder.write('home/AGENTS.md', 'mine');
  await folder.write('home/work/QWEN.md', 'here');
  await folder.write('elsewhere/deep/QWEN.md', 'alone');
  vi.stubEnv('HOME', folder.resolve('home'));
  vi.stubEnv('USERPROFILE', folder.resolve('home'));
  const filesFrom = (name: string) => loadProjectInstructions(folder.resolve(name)).files;
  expect(filesFrom('home/work')).toEqual([folder.resolve('home/AGENTS.md'), folder.resolve('home/work/QWEN.md')]);
  expect(filesFrom('elsewhere/deep')).toEqual([folder.resolve('elsewhere/deep/QWEN.md')]);
  expect(filesFrom('elsewhere')).toEqual([]);
});

test("the user's instructions for all projects come first", async () => {
  await using folder = await temporaryFolder();
  await folder.write('home/.qwen/QWEN.md', 'of mine');
  await folder.write('work/QWEN.md', 'of the project');
  const { files } = loadProjectInstructions(folder.resolve('work'), folder.resolve('home/.qwen'));
  expect(files).toEqual([folder.resolve('home/.qwen/QWEN.md'), folder.resolve('work/QWEN.md')]);
  expect(loadProjectInstructions(folder.resolve('work'), folder.resolve('none')).files).toHaveLength(1);
  expect(loadProjectInstructions(undefined, folder.resolve('home/.qwen')).files).toHaveLength(1);
});

test('a file and a link to it are read once', async () => {
  await using folder = await temporaryFolder();
  await folder.write('.git/HEAD', '');
  await folder.write('AGENTS.md', 'once');
  await symlink('AGENTS.md', folder.resolve('QWEN.md'));
  const { text, files } = loadProjectInstructions(folder.path);
  expect(files).toEqual([folder.resolve('AGENTS.md')]);
  expect(text.match(/once/g)).toHaveLength(1);
});

test('a link out of the project, a secret and a denied file are skipped with a notice', async () => {
  await using folder = await temporaryFolder();
  await folder.write('home/.ssh/id_rsa', 'CANARY');
  await folder.write('home/dotfiles/QWEN.md', 'linked by the user');
  await folder.write('repo/.git/HEAD', '');
  await folder.write('repo/.aws/x', 'CANARY');
  await folder.write('repo/secret/x', 'CANARY');
  await folder.write('repo/real.md', 'inside');
  for (const name of ['.qwen', '../repo/a', '../repo/b', '../repo/c', '../repo/d']) {
    await mkdir(folder.resolve('home', name), { recursive: true });
  }
  await symlink('../dotfiles/QWEN.md', folder.resolve('home/.qwen/QWEN.md'));
  await symlink('../home/.ssh/id_rsa', folder.resolve('repo/AGENTS.md'));
  await symlink('../.aws/x', folder.resolve('repo/a/AGENTS.md'));
  await symlink('../secret/x', folder.resolve('repo/a/QWEN.md'));
  await symlink('real.md', folder.resolve('repo/QWEN.md'));
  const hides = (path: string) => path.includes('/secret/');
  const { text, notices } = loadProjectInstructions(folder.resolve('repo/a'), folder.resolve('home/.qwen'), { hides });
  expect(text).not.toContain('CANARY');
  expect(text).toContain('inside');
  expect(text).toContain('linked by the user');
  expect(notices.map(({ code, message }) => [code, message.split(': ')[1]])).toEqual([
    ['instructions_skipped', `it leads out of ${folder.resolve('repo')}.`],
    ['instructions_skipped', 'it may contain keys or passwords.'],
    ['instructions_skipped', 'a rule denies reading it.'],
  ]);
});

test('a long file is cut between characters, with a notice', async () => {
  await using folder = await temporaryFolder();
  await folder.write('.git/HEAD', '');
  await folder.write('AGENTS.md', `x${'☃'.repeat(20_000)}`);
  const { text, notices } = loadProjectInstructions(folder.path);
  expect(Buffer.byteLength(text)).toBeLessThan(33_000);
  expect(text.endsWith('☃')).toBe(true);
  expect(notices).toMatchObject([{ code: 'instructions_truncated' }]);
});

test.runIf(process.platform !== 'win32')(
  'a folder or a named pipe in their place does not delay the start',
  async () => {
    await using folder = await temporaryFolder();
    await folder.write('.git/HEAD', '');
    await mkdir(folder.resolve('AGENTS.md'));
    execFileSync('mkfifo', [folder.resolve('QWEN.md')]);
    expect(loadProjectInstructions(folder.path)).toEqual({ text: '', files: [], notices: [] });
  },
);

test('reads CLAUDE.md and the files that it imports, the same text once', async () => {
  await using folder = await temporaryFolder();
  await folder.write('repo/.git/HEAD', '');
  await folder.write('repo/CLAUDE.md', 'Use @docs/style.md and @AGENTS.md, not `@docs/code.md` or a@docs/mail.md.\n');
  await folder.write('repo/AGENTS.md', 'agents');
  await folder.write('repo/QWEN.md', 'agents\n');
  await folder.write('repo/docs/style.md', 'style, see @./more.md.\n```\n@code.md\n```\n');
  await folder.write('repo/docs/more.md', 'more, back to @style.md');
  for (const name of ['code', 'mail']) await folder.write(`repo/docs/${name}.md`, 'CANARY');
  const { text, files, notices } = loadProjectInstructions(folder.resolve('repo'));
  const names = ['AGENTS.md', 'CLAUDE.md', 'docs/style.md', 'docs/more.md'].map((name) => folder.resolve('repo', name));
  expect(files).toEqual(names);
  expect(text).not.toContain('CANARY');
  expect(notices).toEqual([]);
});

test('an import reaches neither files outside the project nor secrets', async () => {
  await using folder = await temporaryFolder();
  await folder.write('repo/.git/HEAD', '');
  await folder.write('outside.md', 'CANARY');
  await folder.write('repo/.aws/x', 'CANARY');
  await folder.write('repo/denied.md', 'CANARY');
  await folder.write('repo/AGENTS.md', '@../outside.md @.aws/x @denied.md @types/node @/etc/hostname');
  const hides = (path: string) => path.endsWith('denied.md');
  const { text, files, notices } = loadProjectInstructions(folder.resolve('repo'), undefined, { hides });
  expect(text).not.toContain('CANARY');
  expect(files).toHaveLength(1);
  expect(notices.map(({ code }) => code)).toEqual(Array(4).fill('instructions_skipped'));
});

test('instructions of a subfolder appear once, with the first file below it', async () => {
  await using folder = await temporaryFolder();
  await folder.write('repo/.git/HEAD', '');
  await folder.write('repo/AGENTS.md', 'root');
  await folder.write('repo/a/CLAUDE.md', 'of a');
  await folder.write('repo/a/b/AGENTS.md', 'of b');
  await folder.write('other/AGENTS.md', 'CANARY');
  const cwd = folder.resolve('repo');
  const { files } = loadProjectInstructions(cwd);
  const folders = new FolderInstructions(cwd, files);
  expect(folders.take(folder.resolve('repo/x.ts'))).toBe('');
  expect(folders.take(folder.resolve('other/x.ts'))).toBe('');
  expect(folders.take(folder.resolve('repo/a/b/x.ts'))).toBe(
    `# ${folder.resolve('repo/a/CLAUDE.md')}\n\nof a\n\n# ${folder.resolve('repo/a/b/AGENTS.md')}\n\nof b`,
  );
  expect(folders.take(folder.resolve('repo/a/y.ts'))).toBe('');
  expect(folders.take(folder.resolve('repo/a/y.ts'), {})).toContain('of a');
  expect(new FolderInstructions(cwd, files, { hides: () => true }).take(folder.resolve('repo/a/x.ts'))).toBe('');
});

test.each(['', 'home/.git/HEAD', '.git/HEAD'])(
  'no file reaches the home folder around the project (%s)',
  async (git) => {
    await using folder = await temporaryFolder();
    vi.stubEnv('HOME', folder.resolve('home'));
    vi.stubEnv('USERPROFILE', folder.resolve('home'));
    if (git !== '') await folder.write(git, '');
    for (const name of [
      'notes.md',
      '.npmrc',
      '.qwen/server/token',
      'up/notes.md',
      'work/.env',
      'work/.git-credentials',
    ]) {
      await folder.write(`home/${name}`, 'CANARY');
    }
    await folder.write('home/AGENTS.md', 'of the home, @CLAUDE.md @up/notes.md');
    await folder.write('home/CLAUDE.md', 'beside it');
    await folder.write('home/up/AGENTS.md', 'parent, @near.md @../notes.md @../.npmrc');
    await folder.write('home/up/near.md', 'near, @../up/../notes.md');
    const imports = '@../../.npmrc @../notes.md @../../.qwen/server/token @.env @own.md';
    await folder.write('home/up/work/AGENTS.md', imports);
    await folder.write('home/up/work/.env', 'CANARY');
    await folder.write('home/up/work/own.md', 'own');
    await folder.write('home/up/work/sub/AGENTS.md', `of sub, @../../../notes.md @../../notes.md`);
    await symlink('../../.npmrc', folder.resolve('home/up/work/CLAUDE.md'));
    await symlink('../../../notes.md', folder.resolve('home/up/work/sub/QWEN.md'));
    const cwd = folder.resolve('home/up/work');
    const { text, files } = loadProjectInstructions(cwd);
    for (const part of ['of the home', 'beside it', 'parent', 'near', 'own']) expect(text).toContain(part);
    const below = new FolderInstructions(cwd, files).take(folder.resolve('home/up/work/sub/x.ts'));
    expect(below).toContain('of sub');
    expect(text + below).not.toContain('CANARY');
    await folder.write('home/up/work/sub/AGENTS.md', 'of sub, @../../near.md @../../../notes.md');
    const fromHome = new FolderInstructions(folder.resolve('home'), []);
    expect(fromHome.take(folder.resolve('home/up/work/sub/x.ts'))).not.toContain('CANARY');
  },
);

test("the user's file imports neither our tokens nor keys, and what it links to stays in its folder", async () => {
  await using folder = await temporaryFolder();
  const [dataDir, dotfiles] = [folder.resolve('home/.qwen'), 'home/dotfiles'];
  await folder.write('home/.qwen/QWEN.md', '@server/token @settings.json @../dotfiles/team.md @mine.md');
  await folder.write('home/.qwen/mine.md', 'mine, @../.bash_history');
  await folder.write(`${dotfiles}/team.md`, 'team, @more.md @../work/notes.md');
  await folder.write(`${dotfiles}/more.md`, 'more');
  for (const name of ['.qwen/server/token', '.qwen/settings.json', '.bash_history', 'work/notes.md']) {
    await folder.write(`home/${name}`, `CANARY ${name}`);
  }
  const { text, notices } = loadProjectInstructions(undefined, dataDir, { dataDir });
  for (const part of ['mine', 'team', 'more']) expect(text).toContain(part);
  expect(text).not.toContain('CANARY');
  expect(notices).toHaveLength(4);
});

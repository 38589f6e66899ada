import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CommandRegistry } from '../index.js';
import { CommandFolder, customCommands } from './command-folder.js';

const names = (folder: CommandFolder) => folder.list().map(({ name }) => name);

test('names come from file paths, with colons for folders and _ for special characters', async () => {
  verifies('CF-63');
  await using folder = await temporaryFolder();
  for (const name of [
    'review.toml',
    'git/sub/commit msg.toml',
    'ünï.v2.toml',
    'notes.txt',
    '.toml',
    '.md',
    'git/a:b.toml',
  ]) {
    await folder.write(name, 'prompt = "x"');
  }
  const commands = new CommandFolder(folder.path);
  expect(names(commands)).toEqual(['git:a_b', 'git:sub:commit_msg', 'review', 'ünï.v2']);
  expect(commands.list().map(({ description }) => description)).toContain('Custom command from commit msg.toml');
  expect(commands.notices).toEqual([]);
});

test('changed, new and deleted files take effect at once; unchanged ones are read once', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.toml', 'prompt = "one"');
  const commands = new CommandFolder(folder.path);
  const [before] = commands.list();
  expect(commands.list()[0]).toBe(before);
  await folder.write('a.toml', 'prompt = "one"\ndescription = "Changed."');
  await folder.write('b.toml', 'prompt = "two"');
  expect(commands.list().map(({ description }) => description)).toEqual(['Changed.', 'Custom command from b.toml']);
  rmSync(folder.resolve('a.toml'));
  expect(names(commands)).toEqual(['b']);
});

test('an invalid file is skipped with a notice until it is fixed', async () => {
  await using folder = await temporaryFolder();
  const broken = await folder.write('broken.toml', 'description = "x"\nprompt = """');
  const empty = await folder.write('empty.toml', '');
  const large = await folder.write('large.toml', `prompt = "${'x'.repeat(300_000)}"`);
  await folder.write('good.toml', 'prompt = "x"');
  const commands = new CommandFolder(folder.path);
  expect(names(commands)).toEqual(['good']);
  expect(commands.notices).toEqual([
    { path: broken, message: expect.stringMatching(/^line \d: /) },
    { path: empty, message: 'command.prompt: expected string' },
    { path: large, message: 'is larger than 262144 bytes' },
  ]);
  await folder.write('broken.toml', 'prompt = "x"');
  expect(names(commands)).toEqual(['broken', 'good']);
  expect(commands.notices).toHaveLength(2);
});

test('link cycles, pipes and missing folders do not block', async () => {
  await using folder = await temporaryFolder();
  mkdirSync(folder.resolve('a'));
  symlinkSync(folder.path, folder.resolve('a', 'back'));
  await folder.write('a/x.toml', 'prompt = "x"');
  symlinkSync(folder.resolve('a', 'x.toml'), folder.resolve('linked.toml'));
  symlinkSync(folder.resolve('gone'), folder.resolve('dangling.toml'));
  execFileSync('mkfifo', [folder.resolve('pipe.toml')]);
  const commands = new CommandFolder(folder.path);
  expect(names(commands)).toEqual(['a:x', 'linked']);
  expect(commands.notices.map(({ path }) => path)).toEqual([
    folder.resolve('dangling.toml'),
    folder.resolve('pipe.toml'),
  ]);
  expect(new CommandFolder(folder.resolve('none')).list()).toEqual([]);
});

test('more than 500 commands are cut with a notice', async () => {
  await using folder = await temporaryFolder();
  for (let index = 0; index < 501; index += 1) await folder.write(`${index}.toml`, 'prompt = "x"');
  const commands = new CommandFolder(folder.path);
  expect(commands.list()).toHaveLength(500);
  expect(commands.notices).toEqual([{ path: folder.path, message: expect.stringContaining('more than 500') }]);
});

test('project commands load only with trust and take precedence over those of the user', async () => {
  verifies('S53');
  await using folder = await temporaryFolder();
  const projectFolder = folder.resolve('project');
  const userFolder = folder.resolve('user');
  await folder.write('project/review.toml', 'prompt = "x"\ndescription = "project"');
  await folder.write('project/broken.toml', '');
  await folder.write('user/review.toml', 'prompt = "x"\ndescription = "user"');
  await folder.write('user/mine.toml', 'prompt = "x"');
  let isTrusted = false;
  const source = customCommands({
    projectFolders: [projectFolder],
    userFolders: [userFolder],
    isTrusted: () => isTrusted,
  });
  const registry = new CommandRegistry([source]);
  const shown = () => registry.list().map(({ name, description }) => `${name} ${description}`);
  expect(shown()).toEqual(['mine Custom command from mine.toml', 'review user']);
  expect(source.notices).toEqual([]);
  isTrusted = true;
  expect(shown()).toEqual(['mine Custom command from mine.toml', 'review project']);
  expect(source.notices).toHaveLength(1);
  expect(registry.conflicts.map(({ command }) => command.description)).toEqual(['user']);
});

test('in the home folder, commands are listed once', async () => {
  await using folder = await temporaryFolder();
  await folder.write('review.toml', 'prompt = "x"');
  const { path } = folder;
  const source = customCommands({ projectFolders: [path], userFolders: [path], isTrusted: () => true });
  expect(new CommandRegistry([source]).conflicts).toEqual([]);
});

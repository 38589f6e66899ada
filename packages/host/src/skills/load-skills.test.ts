import { mkdir, symlink } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test, vi } from 'vitest';
import { NO_SETTINGS } from '../config/settings.js';
import { trustProject } from '../config/trust-changes.js';
import { loadSkills, type SkillSources } from './load-skills.js';

const skill = (name: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\nBody.\n`;

async function world() {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  await mkdir(folder.resolve('repo/pkg/src'), { recursive: true });
  await mkdir(folder.resolve('home'), { recursive: true });
  vi.stubEnv('HOME', folder.resolve('home'));
  const load = async (flags: SkillSources['flags'] = {}, cwd = folder.resolve('repo/pkg/src')) => {
    const { skills, notices } = await loadSkills({
      cwd,
      configDir: folder.resolve('home/.qwen'),
      flags,
      settings: NO_SETTINGS,
    });
    const prefix = `${folder.path}/`;
    return {
      paths: skills.map(({ path }) => path.replace(prefix, '')),
      notices: notices.map(({ code, message }) => `${code}: ${message.replaceAll(prefix, '')}`),
    };
  };
  return {
    folder,
    load,
    async [Symbol.asyncDispose]() {
      vi.unstubAllEnvs();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('skills of the nearest folder win, then those of the project, then those of the user', async () => {
  await using fixture = await world();
  const { folder, load } = fixture;
  expect(await load()).toEqual({ paths: [], notices: [] });
  for (const path of [
    'repo/pkg/.qwen/skills/same',
    'repo/.qwen/skills/same',
    'repo/.agents/skills/deep/er/shared',
    'repo/.claude/skills/claude',
    'home/.qwen/skills/same',
    'home/.qwen/skills/own',
    'home/.agents/skills/agents',
    'home/.claude/skills/claude2',
    'home/.qwen/skills/node_modules/no',
    'home/.qwen/skills/own/inner',
    'outside/.qwen/skills/above',
  ]) {
    await folder.write(`${path}/SKILL.md`, skill(path.split('/').at(-1) ?? ''));
  }
  await folder.write('home/.qwen/skills/lower/skill.md', skill('lower'));
  const { paths, notices } = await load({ trustProject: true });
  expect(paths).toEqual([
    'repo/pkg/.qwen/skills/same/SKILL.md',
    'repo/.agents/skills/deep/er/shared/SKILL.md',
    'repo/.claude/skills/claude/SKILL.md',
    'home/.qwen/skills/own/SKILL.md',
    'home/.agents/skills/agents/SKILL.md',
    'home/.claude/skills/claude2/SKILL.md',
  ]);
  expect(notices).toEqual([
    expect.stringContaining('invalid_skill: repo/.qwen/skills/same/SKILL.md: the skill same of repo/pkg'),
    expect.stringContaining('invalid_skill: home/.qwen/skills/same/SKILL.md: the skill same of repo/pkg'),
  ]);
});

test('those of a project need trust, and nothing is read in safe mode', async () => {
  await using fixture = await world();
  const { folder, load } = fixture;
  await folder.write('repo/.agents/skills/evil/SKILL.md', skill('evil'));
  await folder.write('home/.agents/skills/own/SKILL.md', skill('own'));
  const own = ['home/.agents/skills/own/SKILL.md'];
  expect(await load()).toEqual({ paths: own, notices: [expect.stringMatching(/^untrusted_skills: .*repo\/\.agents/)] });
  expect(await load({ settingSources: ['user'] })).toEqual({ paths: own, notices: [] });
  expect(await load({ settingSources: [] })).toEqual({ paths: [], notices: [] });
  expect(await load({ trustProject: true, safeMode: true })).toEqual({ paths: [], notices: [] });
  await trustProject(folder.resolve('home/.qwen'), { folder: folder.resolve('repo'), settings: [] });
  expect((await load()).paths).toEqual(['repo/.agents/skills/evil/SKILL.md', ...own]);
});

test('outside of a repository the parent folders have no influence, and the home folder is no project', async () => {
  await using fixture = await world();
  const { folder, load } = fixture;
  await folder.write('home/.agents/skills/own/SKILL.md', skill('own'));
  await mkdir(folder.resolve('home/work'), { recursive: true });
  const own = { paths: ['home/.agents/skills/own/SKILL.md'], notices: [] };
  expect(await load({}, folder.resolve('home'))).toEqual(own);
  expect(await load({}, folder.resolve('home/work'))).toEqual(own);
});

test('links out of the project, cycles and two links to one skill', async () => {
  await using fixture = await world();
  const { folder, load } = fixture;
  await folder.write('repo/.agents/skills/one/SKILL.md', skill('one'));
  await folder.write('private/SKILL.md', skill('private'));
  await mkdir(folder.resolve('repo/.claude'));
  await symlink('../.agents/skills', folder.resolve('repo/.claude/skills'));
  await symlink('.', folder.resolve('repo/.agents/skills/cycle'));
  await symlink(folder.resolve('private'), folder.resolve('repo/.agents/skills/link'));
  await mkdir(folder.resolve('repo/.agents/skills/two'));
  await symlink(folder.resolve('private/SKILL.md'), folder.resolve('repo/.agents/skills/two/SKILL.md'));
  const { paths, notices } = await load({ trustProject: true });
  expect(paths).toEqual(['repo/.agents/skills/one/SKILL.md']);
  expect(notices.filter((notice) => notice.includes('leads out of the project'))).toHaveLength(2);
});

test('a choice of skills', async () => {
  await using fixture = await world();
  const { folder, load } = fixture;
  for (const name of ['a', 'b']) await folder.write(`home/.agents/skills/${name}/SKILL.md`, skill(name));
  expect(await load({ skills: ['b', 'c'] })).toEqual({
    paths: ['home/.agents/skills/b/SKILL.md'],
    notices: [expect.stringContaining('unknown_skill: There is no skill "c"')],
  });
  expect(await load({ skills: [] })).toEqual({ paths: [], notices: [] });
});

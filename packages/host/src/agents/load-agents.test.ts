import { mkdir } from 'node:fs/promises';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { loadSettings } from '../config/load-settings.js';
import type { SettingsFlags } from '../config/settings-files.js';
import { trustProject } from '../config/trust-changes.js';
import { NO_AGENT_FILES } from './agent-files.js';
import { readAgentTexts } from './agent-texts.js';
import { loadAgents } from './load-agents.js';

const REVIEWER = `---
name: reviewer
description: Reviews changes.
tools: Read, Grep(src/**, test)
disallowedTools:
  - Bash
model: inherit
color: blue
maxTurns: 5
maxTimeMinutes: 1.5
---

You review.

---
Briefly.
`;

async function load(folder: TemporaryFolder, flags: SettingsFlags = {}) {
  const sources = { configDir: folder.resolve('home'), cwd: folder.resolve('repo'), flags };
  const settings = await loadSettings(sources);
  const { agents, notices } = await loadAgents({ ...sources, settings });
  return { agents, notices: [...settings.notices, ...notices] };
}

async function repository(): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  return folder;
}

test('without files there are no subagents', async () => {
  await using folder = await repository();
  expect(await load(folder)).toEqual(NO_AGENT_FILES);
});

test("a user's file is a subagent: front matter, then its prompt", async () => {
  verifies('O-42', 'O-43', 'O-44');
  await using folder = await repository();
  const path = await folder.write('home/agents/any.md', REVIEWER);
  await folder.write('home/agents/notes.txt', 'no agent');
  expect(await load(folder)).toEqual({
    agents: [
      {
        name: 'reviewer',
        level: 'user',
        filePath: path,
        description: 'Reviews changes.',
        systemPrompt: 'You review.\n\n---\nBriefly.',
        tools: ['Read', 'Grep(src/**, test)'],
        disallowedTools: ['Bash'],
        model: 'inherit',
        color: 'blue',
        runConfig: { maxTurns: 5, maxTimeMinutes: 1.5 },
      },
    ],
    notices: [],
  });
});

test('the name defaults to that of the file; no list of tools means all, an empty one none', async () => {
  await using folder = await repository();
  await folder.write('home/agents/a.md', '---\r\n---\r\nHello.');
  await folder.write('home/agents/b.md', '---\ntools: []\n---\n');
  const { agents } = await load(folder);
  expect(agents).toMatchObject([
    { name: 'a', systemPrompt: 'Hello.' },
    { name: 'b', tools: [] },
  ]);
  expect(agents[0]).not.toHaveProperty('tools');
});

describe('agents of a project', () => {
  test('are ignored until it is trusted, with a notice', async () => {
    verifies('S47');
    await using folder = await repository();
    await folder.write('repo/.qwen/agents/reviewer.md', REVIEWER);
    expect(await load(folder)).toMatchObject({
      agents: [],
      notices: [{ code: 'untrusted_folder', message: expect.stringContaining('Ignored until you trust it: agents.') }],
    });
    expect((await load(folder, { trustProject: true })).agents).toHaveLength(1);
    const agents = readAgentTexts(folder.resolve('repo/.qwen/agents'));
    await trustProject(folder.resolve('home'), { folder: folder.resolve('repo'), settings: [], agents });
    expect(await load(folder)).toMatchObject({ agents: [{ name: 'reviewer' }], notices: [] });
    expect(await load(folder, { safeMode: true })).toEqual(NO_AGENT_FILES);
    expect(await load(folder, { settingSources: ['user'] })).toEqual(NO_AGENT_FILES);
  });

  test('cannot widen a built-in subagent that only reads', async () => {
    await using folder = await repository();
    const path = await folder.write('repo/.qwen/agents/x.md', '---\nname: Explore\ntools: [Bash]\n---\nHi.');
    await folder.write('home/agents/plan.md', '---\nname: plan\n---\nHi.');
    const { agents, notices } = await load(folder, { trustProject: true });
    expect(agents.map(({ level }) => level)).toEqual(['project', 'user']);
    expect(notices).toEqual([{ code: 'invalid_agent', message: expect.stringContaining(`${path}: the built-in`) }]);
  });

  test('take precedence over those of the user', async () => {
    await using folder = await repository();
    await folder.write('home/agents/reviewer.md', REVIEWER);
    await folder.write('repo/.qwen/agents/reviewer.md', REVIEWER);
    const { agents } = await load(folder, { trustProject: true });
    expect(agents.map(({ filePath }) => filePath)).toEqual([
      folder.resolve('repo/.qwen/agents/reviewer.md'),
      folder.resolve('home/agents/reviewer.md'),
    ]);
  });
});

test.each([
  ['no front matter', 'You review.', 'line 1: expected front matter'],
  ['front matter without an end', '---\nname: a\n', 'line 1: expected front matter'],
  ['no YAML', '---\nname: a\nname: b\n---\n', 'line 3: the front matter is not valid YAML'],
  ['a wrong type', '---\nname: a\nmaxTurns: many\n---\n', 'line 3: front matter.maxTurns: expected'],
  ['a limit that is none', '---\nmaxTurns: 0\n---\n', 'line 2: front matter.maxTurns'],
  ['front matter that is a list', '---\n- a\n---\n', 'front matter: expected object'],
  ['a name that is none', '---\nname: x,Bash(*)\n---\n', 'line 2: "x,Bash(*)" is not a valid name'],
  ['aliases that multiply', `---\na: &a [x]\nb: &b [*a, *a]\ntools: [*b, *b]\n---\n`, 'front matter: expected object'],
])('%s is reported with file and line, and the other files apply', async (_what, text, problem) => {
  verifies('S54');
  await using folder = await repository();
  const path = await folder.write('home/agents/bad.md', text);
  await folder.write('home/agents/good.md', REVIEWER);
  const { agents, notices } = await load(folder);
  expect(agents.map(({ name }) => name)).toEqual(['reviewer']);
  expect(notices).toEqual([{ code: 'invalid_agent', message: expect.stringContaining(problem) }]);
  expect(notices[0]?.message).toContain(path);
});

test('a member without effect is reported, because it may be an intended restriction', async () => {
  await using folder = await repository();
  await folder.write('home/agents/a.md', '---\nname: a\nhooks: {}\n---\nHi.');
  expect(await load(folder)).toMatchObject({
    agents: [{ name: 'a' }],
    notices: [{ code: 'invalid_agent', message: expect.stringContaining('line 3: the member "hooks" has no effect') }],
  });
});

test('a path that is not a file is reported', async () => {
  await using folder = await repository();
  await mkdir(folder.resolve('home/agents/folder.md'), { recursive: true });
  await folder.write('home/agents/large.md', `---\n---\n${'x'.repeat(300_000)}`);
  expect(await load(folder)).toMatchObject({
    agents: [],
    notices: [{ code: 'invalid_agent' }, { code: 'invalid_agent' }],
  });
});

test('limits and sampling may have the form of qwen-code', async () => {
  await using folder = await repository();
  const front =
    'name: old\ndescription: x\nmodelConfig:\n  temp: 0.5\n  top_p: 0.9\nrunConfig:\n  max_time_minutes: 3\n  max_turns: 4';
  await folder.write('home/agents/old.md', `---\n${front}\n---\nBe old.`);
  await folder.write(
    'home/agents/new.md',
    '---\nname: new\ndescription: x\nrunConfig:\n  maxTurns: 7\nbackground: true\n---\nBe new.',
  );
  const { agents, notices } = await load(folder);
  expect(agents).toMatchObject([
    { name: 'new', runConfig: { maxTurns: 7 } },
    { name: 'old', modelConfig: { temp: 0.5, topP: 0.9 }, runConfig: { maxTurns: 4, maxTimeMinutes: 3 } },
  ]);
  expect(notices.map(({ message }) => message)).toEqual([
    expect.stringContaining('the member "background" has no effect'),
  ]);
});

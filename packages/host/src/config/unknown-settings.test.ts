import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { loadSettings } from './load-settings.js';
import { findUnknownSettings } from './unknown-settings.js';

const names = (settings: unknown) => findUnknownSettings(settings).map(({ path }) => path.join('.'));

test('finds members outside the schema at any depth, and no others', () => {
  expect(
    names({
      $schema: 'x',
      theme: 'dark',
      permissions: { deny: [], alow: [] },
      hooks: { Stop: [{ matcher: '*', hooks: [{ type: 'command', command: 'x', timout: 1 }] }] },
      mcpServers: { anything: { command: 'x', env: { ANY: '1' }, oauth: { scope: 'x' } } },
      ui: { theme: 'dark', colours: 1 },
    }),
  ).toEqual([
    'theme',
    'permissions.alow',
    'hooks.Stop.0.hooks.0.timout',
    'mcpServers.anything.oauth.scope',
    'ui.colours',
  ]);
  expect(names(JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}'))).toEqual(['__proto__', 'constructor']);
});

test('one notice per file names them with suggestions; text of untrusted files is not repeated', async () => {
  await using folder = await temporaryFolder();
  const path = await folder.write('home/settings.json', '{"permisions": {"deny": ["Bash"]}, "far-away": 1}');
  await folder.write('repo/.qwen/settings.json', '{"modell": "x"}');
  const load = (flags: object) =>
    loadSettings({ configDir: folder.resolve('home'), cwd: folder.resolve('repo'), flags });
  const user = {
    code: 'unknown_setting',
    message: `${path} has unknown members, which have no effect: "permisions" (did you mean "permissions"?), "far-away".`,
  };
  expect((await load({})).notices).toEqual([user]);
  const trusted = { code: 'unknown_setting', message: expect.stringContaining('(did you mean "model"?)') };
  expect((await load({ trustProject: true })).notices).toEqual([user, trusted]);
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`x-${index}`, 1])));
  expect((await load({ settingSources: [], settings: many })).notices).toMatchObject([
    { message: expect.stringContaining('and 3 more') },
  ]);
});

test('deny and ask rules for a mistyped tool are reported, also without trust', async () => {
  await using folder = await temporaryFolder();
  const write = (path: string, permissions: object) => folder.write(path, JSON.stringify({ permissions }));
  const user = await write('home/settings.json', {
    deny: ['Bsh(rm *)', 'mcp__db__drop', 'Shell', '*'],
    allow: ['Edt'],
  });
  const project = await write('repo/.qwen/settings.json', { ask: ['read_fle(.env)', 'WebSearch'] });
  const sources = { configDir: folder.resolve('home'), cwd: folder.resolve('repo'), flags: {} };
  const noEffect = 'a deny or ask rule has no effect: there is no built-in tool';
  expect((await loadSettings(sources)).notices).toEqual([
    { code: 'unknown_setting', message: `${user}: ${noEffect} "Bsh". Did you mean "Bash"?` },
    { code: 'unknown_setting', message: `${project}: ${noEffect} "read_fle". Did you mean "read_file"?` },
  ]);
});

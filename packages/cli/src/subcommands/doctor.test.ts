import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { FAULTY_MCP_SERVER, startScriptedModel, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { checkNetwork } from './doctor/check-network.js';
import { checkServer } from './doctor/check-program.js';
import { judgeTerminal } from './doctor/check-terminal.js';
import { checkVariables } from './doctor/check-variables.js';
import type { Finding } from './doctor/finding.js';
import { runDoctor } from './doctor.js';

const KEY = 'sk-hunter2hunter2hunter2';

async function fixture(environment: Readonly<Record<string, string>> = { OPENAI_API_KEY: KEY }) {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  await mkdir(folder.resolve('home'), { mode: 0o700 });
  const run = async (...words: string[]) => {
    const printed: string[] = [];
    const exitCode = await runDoctor({
      words,
      environment: { QWEN_HOME: folder.resolve('home'), ...environment },
      cwd: folder.resolve('repo'),
      print: async (text) => void printed.push(text),
      printError: () => undefined,
    });
    return { exitCode, text: printed.join('') };
  };
  const look = async (area: Finding['area'], ...words: string[]) => {
    const { findings }: { readonly findings: readonly Finding[] } = JSON.parse((await run('--json', ...words)).text);
    return findings.filter((finding) => finding.area === area);
  };
  return { folder, run, look, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('a working set-up is reported, and no key is ever shown', async () => {
  await using at = await fixture();
  const { exitCode, text } = await at.run();
  expect([exitCode, text]).toEqual([0, expect.stringContaining('the credential of OPENAI_API_KEY')]);
  expect(text).toContain('(set: OPENAI_API_KEY)');
  expect(text).toMatch(/0 errors, \d+ warnings?\n$/);
  expect(text).not.toContain('hunter2');
  await expect(at.run('--onlin')).rejects.toMatchObject({ message: expect.stringContaining('did you mean --online?') });
});

test('a missing provider is an error that names the variables to set', async () => {
  await using at = await fixture({});
  const [finding] = await at.look('model');
  expect(finding).toMatchObject({ level: 'error', advice: expect.stringContaining('DASHSCOPE_API_KEY') });
  expect((await at.run()).exitCode).toBe(1);
});

test('the provider is contacted only on request', async () => {
  await using model = await startScriptedModel([]);
  await using at = await fixture({ ...model.env, OPENAI_MODEL: 'no-such-model' });
  expect(await at.look('model')).toMatchObject([{ level: 'ok' }]);
  expect(model.requests).toHaveLength(0);
  const [, asked] = await at.look('model', '--online');
  expect(asked?.message).toMatch(/^the provider /);
  await using gone = await fixture({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
  expect((await gone.look('model', '--online'))[1]).toMatchObject({ level: 'error' });
});

test('every mistake in every settings file is reported with file, line and column', async () => {
  verifies('S51');
  await using at = await fixture();
  const user = await at.folder.write(
    'home/settings.json',
    '{\n  "permissions": {\n    "deny": "Bash",\n    "alow": []\n  },\n  "model": 7\n}\n',
  );
  const local = await at.folder.write('repo/.qwen/settings.local.json', '{\n  "model" "x"\n}\n');
  const project = await at.folder.write('repo/.qwen/settings.json', '{ "apiKey": "hunter2" }');
  const found = await at.look('settings');
  expect(found).toMatchObject([
    { level: 'error', path: user, line: 6, column: 3, message: 'model: expected string' },
    { level: 'error', path: user, line: 3, column: 5, message: 'permissions.deny: expected array' },
    { level: 'warning', path: user, line: 4, message: expect.stringContaining('did you mean "allow"?') },
    { level: 'error', path: project, line: 1, column: 3, message: expect.stringContaining('a secret') },
    { level: 'warning', path: project },
    { level: 'error', path: local, line: 2, column: 11 },
  ]);
  const { exitCode, text } = await at.run();
  expect([exitCode, text]).toEqual([1, expect.stringContaining(`${user}:6:3: model: expected string`)]);
  expect(text).not.toContain('hunter2');
});

test('warns about untrusted project requests and failing servers', async () => {
  verifies('S49');
  await using at = await fixture();
  await at.folder.write('repo/.qwen/settings.json', '{"permissions":{"allow":["Bash"]}}');
  expect(await at.look('trust')).toMatchObject([{ level: 'warning', message: expect.stringContaining('qwen trust') }]);
  const mcpServers = {
    good: { command: process.execPath, args: [FAULTY_MCP_SERVER] },
    bad: { command: process.execPath, args: [FAULTY_MCP_SERVER, 'exits'] },
    far: { httpUrl: 'https://far.example/mcp' },
  };
  await at.folder.write('home/settings.json', JSON.stringify({ mcpServers }));
  expect(await at.look('mcp')).toMatchObject([
    { level: 'ok', message: 'good: 11 tools' },
    { level: 'warning', message: expect.stringContaining('bad: '), advice: expect.stringContaining('qwen mcp test') },
    { level: 'ok', message: expect.stringContaining('--online') },
  ]);
}, 30_000);

test('an unapproved MCP server of a project is not started', async () => {
  verifies('S98');
  await using at = await fixture();
  const canary = at.folder.resolve('canary');
  const evil = { command: process.execPath, args: ['-e', `fs.writeFileSync(${JSON.stringify(canary)}, '')`] };
  await at.folder.write('repo/.mcp.json', JSON.stringify({ mcpServers: { evil } }));
  expect(await at.look('mcp')).toMatchObject([
    { level: 'warning', advice: 'If you trust it, run qwen mcp approve evil.' },
  ]);
  await expect(stat(canary)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('finds damaged sessions, stale locks and files that others may read', async () => {
  await using at = await fixture();
  await at.folder.write('home/sessions/whole.jsonl', '{}\n');
  const torn = await at.folder.write('home/sessions/torn.jsonl', '{}\n{"ty');
  await at.folder.write('home/sessions/busy.jsonl', '{}\n{"ty');
  const since = new Date().toISOString();
  const lock = (pid: number) => JSON.stringify({ pid, start_time: null, since, nonce: 'n' });
  await at.folder.write('home/sessions/busy.lock', lock(process.pid));
  const dead = await at.folder.write('home/sessions/dead.lock', lock(2 ** 22 + 1));
  await chmod(at.folder.resolve('home/sessions'), 0o755);
  expect(await at.look('sessions')).toMatchObject([
    { level: 'ok', message: expect.stringMatching(/^3 sessions/) },
    { level: 'warning', path: torn },
    { level: 'warning', path: dead },
  ]);
  expect(await at.look('storage')).toMatchObject([
    { level: 'ok' },
    { level: 'warning', path: at.folder.resolve('home/sessions'), advice: expect.stringContaining('chmod') },
  ]);
});

test('a home folder that is a file stops all checks', async () => {
  await using at = await fixture();
  await writeFile(at.folder.resolve('file'), '');
  await using broken = await fixture({ OPENAI_API_KEY: KEY, QWEN_HOME: at.folder.resolve('file') });
  expect(await broken.look('storage')).toMatchObject([
    { level: 'error', message: expect.stringContaining('not a folder') },
  ]);
});

test('another version of @qwen/server is reported', () => {
  expect(checkServer('1.2.3', '1.2.3').level).toBe('ok');
  expect(checkServer('1.2.3', undefined).level).toBe('ok');
  expect(checkServer('1.2.3', '1.0.0')).toMatchObject({ level: 'warning', advice: expect.stringContaining('@1.2.3') });
});

test.each([
  [{ TERM: 'xterm-256color' }, { LANG: 'en_US.UTF-8' }, []],
  [{ TERM: 'dumb' }, { LANG: 'en_US.UTF-8' }, [/TERM=dumb/]],
  [{ TERM: 'xterm' }, { LANG: 'C' }, [/\(C\) is not UTF-8/]],
  [{ TERM: 'xterm' }, { LC_ALL: 'C.utf8', LANG: 'C' }, []],
  [{ TERM: 'xterm' }, { LANG: 'C.UTF-8', TMUX: '/tmp/x,1,0' }, [/in tmux TERM/]],
  [{ TERM: 'tmux-256color' }, { LANG: 'C.UTF-8', TMUX: '/tmp/x,1,0' }, []],
])('a terminal with %j and %j', (environment, variables, expected) => {
  const found = judgeTerminal({ environment, variables }, { isTTY: true, columns: 80, rows: 24 });
  const warnings = found.filter(({ level }) => level === 'warning').map(({ message }) => message);
  expect(warnings).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

test('lists the variables that commands do not receive', async () => {
  await using home = await temporaryFolder();
  await home.write('settings.json', '{"security":{"allowedEnvironmentVariables":["GH_PAT"]}}');
  const variables = { PGPASSWORD: 'hidden', GH_PAT: 'hidden', LANG: 'C' };
  const found = await checkVariables({
    cwd: home.path,
    configDir: home.path,
    environment: {},
    variables,
    isOnline: false,
  });
  expect(found).toMatchObject([{ message: expect.stringMatching(/: PGPASSWORD$/), level: 'ok' }]);
  expect(JSON.stringify(found)).not.toContain('hidden');
});

test('proxies are listed without their password, and reported if unused', async () => {
  const look = (variables: Readonly<Record<string, string>>) =>
    checkNetwork({ cwd: '/', configDir: '/', environment: {}, variables, isOnline: false });
  const HTTPS_PROXY = 'http://user:hunter2@proxy.example:8080';
  expect(await look({})).toEqual([]);
  expect(await look({ HTTPS_PROXY })).toMatchObject([
    { level: 'warning', message: 'HTTPS_PROXY: proxy.example:8080 is not used' },
  ]);
  expect(await look({ HTTPS_PROXY, NODE_USE_ENV_PROXY: '1' })).toMatchObject([{ level: 'ok' }]);
  expect(await look({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatchObject([{ level: 'warning' }]);
});

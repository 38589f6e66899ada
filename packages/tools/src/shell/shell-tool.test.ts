import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { processGone, temporaryFolder, trackChildren, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool, runToolForText } from '../../test/run-tool.js';
import { createPathResolver } from '../paths/path-resolver.js';
import { shellTool } from './shell-tool.js';

const shell = shellTool({ environment: { PATH: process.env.PATH, HOME: '/nowhere' }, keepEnvironment: [] });

/** Reads the pid that a command wrote as its first line of output. */
const firstPid = (text: string) => Number.parseInt(text, 10);

test('output of both streams is in the order in which it was written', async () => {
  const command = 'echo one; echo two >&2; echo three; echo four >&2';
  expect(await runTool(shell, { command }, { cwd: '/' })).toMatchObject({
    content: 'one\ntwo\nthree\nfour',
    isError: false,
    display: { kind: 'text', text: 'one\ntwo\nthree\nfour' },
  });
});

test('missing output is reported, and another exit code is an error', async () => {
  expect(await runToolForText(shell, { command: 'true' }, { cwd: '/' })).toBe('[no output]');
  const failed = await runTool(shell, { command: 'echo x; exit 3' }, { cwd: '/' });
  expect(failed).toMatchObject({ content: 'x\n[exit code 3]', isError: true });
});

test('a syntax error is shown and keeps its line', async () => {
  const result = await runTool(shell, { command: 'echo x\nif' }, { cwd: '/' });
  expect(result).toMatchObject({ isError: true, content: expect.stringMatching(/line \d: syntax error/) });
});

test('the command runs in the workspace or in the folder of the call', async () => {
  verifies('S41');
  await using folder = await temporaryFolder();
  await mkdir(folder.resolve('sub'));
  expect(await runToolForText(shell, { command: 'pwd' }, { cwd: folder.path })).toBe(folder.path);
  const inSub = await runToolForText(shell, { command: 'pwd', directory: 'sub' }, { cwd: folder.path });
  expect(inSub).toBe(folder.resolve('sub'));
  // The folder is a path of the call, so that one outside of the workspace is decided on like any other path.
  expect(shell.paths({ command: 'x', directory: '..' }, '/w/app')).toEqual([{ path: '/w', access: 'read' }]);
});

test('a missing folder and a NUL byte are refused by name', async () => {
  const run = (input: object) => runTool(shell, { command: 'true', ...input }, { cwd: '/' });
  await expect(run({ directory: '/no/such' })).rejects.toThrow('it does not exist');
  await expect(run({ directory: '/etc/passwd' })).rejects.toThrow('not a directory');
  await expect(run({ command: 'a\0b' })).rejects.toThrow('NUL');
  for (const timeout of [120, '120', 120_000]) {
    expect(shell.canonical?.({ command: 'x', timeout }).input).toEqual({ command: 'x', timeout: 120_000 });
  }
  expect(shell.canonical?.({ command: 'x', timeout: 600_001 })).toEqual({
    input: { command: 'x', timeout: 600_000 },
    notes: ['timeout 600001 is above the maximum; 600000 applies.'],
  });
});

test('a command that a signal ended is an error and never exit code 0', async () => {
  verifies('F52');
  const direct = await runTool(shell, { command: 'kill -KILL $$' }, { cwd: '/' });
  expect(direct).toMatchObject({ content: '[terminated by signal SIGKILL]', isError: true });
  const inner = await runTool(shell, { command: 'bash -c "kill -TERM \\$\\$"; exit $?' }, { cwd: '/' });
  expect(inner).toMatchObject({
    content: expect.stringContaining('[exit code 143: terminated by signal SIGTERM]'),
    isError: true,
  });
});

test('a command past its limit is stopped with its group, and its output is kept', async () => {
  verifies('F51', 'T3');
  const command = 'sleep 1000 & echo $!; trap "" TERM; sleep 1000';
  const result = await runToolForText(shell, { command, timeout: 1000 }, { cwd: '/' });
  expect(result).toMatch(/^\d+\n\[timed out after 1000 ms and was stopped\]/);
  await waitUntilGone(firstPid(result), { deadlineMs: 2000 });
});

test('a background process that holds the output open does not delay the result, and is ended', async () => {
  verifies('F51');
  const result = await runToolForText(shell, { command: 'sleep 1000 & echo $!' }, { cwd: '/' });
  expect(result).toContain('[1 background process(es) were still running and were killed]');
  await waitUntilGone(firstPid(result), { deadlineMs: 2000 });
});

test.runIf(process.platform === 'linux')(
  'a process that left the group is reported, and ended when the command is stopped',
  async () => {
    verifies('F41');
    const kept = await runToolForText(shell, { command: 'setsid sleep 1000 & echo $!; sleep 0.1' }, { cwd: '/' });
    const escaped = Number(/still running outside its process group: pid (\d+)/.exec(kept)?.[1]);
    expect(processGone(escaped)).toBe(false);
    process.kill(escaped, 'SIGKILL');
    const command = "setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' & disown; sleep 1000";
    const abort = new AbortController();
    const emit = () => abort.abort();
    const stopped = await runToolForText(shell, { command, timeout: 5000 }, { cwd: '/', signal: abort.signal, emit });
    expect(stopped).toContain('stopped because the turn ended');
    await waitUntilGone(firstPid(stopped), { deadlineMs: 2000 });
  },
);

test('the end of the turn stops the whole pipeline', async () => {
  const abort = new AbortController();
  const children = trackChildren();
  let pids: number[] = [];
  const emit = () => {
    pids = children();
    abort.abort();
  };
  const command = 'echo start; sleep 1000 | sleep 1000 | (sleep 1000; echo no)';
  const result = await runTool(shell, { command }, { cwd: '/', signal: abort.signal, emit });
  expect(result).toMatchObject({ isError: true, content: 'start\n[stopped because the turn ended]' });
  expect(pids.length).toBeGreaterThan(0);
  await Promise.all(pids.map((pid) => waitUntilGone(pid, { deadlineMs: 2000 })));
});

test('nothing waits for the user: no input, no terminal, no prompt, no editor', async () => {
  verifies('F53');
  await using folder = await temporaryFolder();
  const command = [
    'read x; echo "read: $?"',
    'tty',
    '(: </dev/tty) 2>/dev/null || echo "no terminal"',
    'git init -q . && git -c user.name=a -c user.email=a@b commit --allow-empty 2>&1 | tail -1',
    'echo "$GIT_TERMINAL_PROMPT $PAGER $EDITOR"',
  ].join('\n');
  const text = await runToolForText(shell, { command }, { cwd: folder.path });
  expect(text).toContain('read: 1\nnot a tty\nno terminal\n');
  expect(text).toContain('0 cat false');
  expect(text).toContain('Please supply the message');
});

test('provider keys, our own settings and CI tokens are not passed on, unless listed', async () => {
  verifies('S108');
  const environment = {
    PATH: process.env.PATH,
    OPENAI_API_KEY: 's1',
    DASHSCOPE_API_KEY: 's2',
    GEMINI_API_KEY: 's3',
    GOOGLE_APPLICATION_CREDENTIALS: 's4',
    QWEN_SERVER_TOKEN: 's5',
    QWEN_ANYTHING: 's6',
    GITHUB_TOKEN: 's7',
    NPM_TOKEN: 's8',
    npm_config__authToken: 's12',
    AWS_SECRET_ACCESS_KEY: 's9',
    BASH_ENV: '/s10',
    'BASH_FUNC_ls%%': '() { echo s11; }',
    KEEP_TOKEN: 'kept',
    GOOGLE_CLOUD_PROJECT: 'project',
    TOKENIZERS_PARALLELISM: 'true',
  };
  const tool = shellTool({ environment, keepEnvironment: ['KEEP_TOKEN'] });
  const text = await runToolForText(tool, { command: 'env' }, { cwd: '/' });
  expect(text).not.toMatch(/=.*s\d+/);
  expect(text).toContain('KEEP_TOKEN=kept');
  expect(text).toContain('GOOGLE_CLOUD_PROJECT=project');
  expect(text).toContain('TOKENIZERS_PARALLELISM=true');
});

test('variables whose name or value resembles a credential are withheld and reported once', async () => {
  const environment = {
    PATH: process.env.PATH,
    PGPASSWORD: 'q1',
    DATABASE_URL: 'postgres://me:q2@db/x',
    SECRET_KEY_BASE: 'q3',
    MYSQL_PWD: 'q4',
    GH_PAT: 'q5',
    HARMLESS: 'ghp_q6q6q6q6q6q6q6q6q6q6q6q6',
    SLACK: 'xoxb-q7q7q7q7q7',
    APIKEY: 'q8',
    STRIPE: 'sk_live_q9q9q9q9q9',
    BASIC_AUTH: 'q10',
    PEM: '-----BEGIN RSA PRIVATE KEY-----',
    PWD: '/kept1',
    OLDPWD: '/kept2',
    SSH_AUTH_SOCK: '/kept3',
    GIT_AUTHOR_NAME: 'kept4',
    KEYBOARD_LAYOUT: 'kept5',
    MAX_OUTPUT_TOKENS: 'kept6',
    BASE_URL: 'https://kept7/x:y@z',
    COMPASS: 'kept8',
    WORKPATH: 'kept9',
  };
  const tool = shellTool({ environment, keepEnvironment: [] });
  const command = 'env; echo $PGPASSWORD $BASE_URL';
  const text = await runToolForText(tool, { command }, { cwd: '/' });
  expect(text).not.toMatch(/q\d|BEGIN/);
  for (let number = 3; number <= 9; number += 1) expect(text).toContain(`kept${number}`);
  expect(text).toContain('[withheld because they may hold credentials: PGPASSWORD. ');
  expect(await runToolForText(tool, { command }, { cwd: '/' })).not.toContain('withheld');
});

test('start-up files and a shell of the workspace have no effect', async () => {
  await using folder = await temporaryFolder();
  await folder.write('.bashrc', 'echo rc');
  await folder.write('.bash_profile', 'echo profile');
  await folder.write('bash', '#!/bin/sh\necho mine\n');
  const environment = { PATH: `${folder.path}:${process.env.PATH}`, HOME: folder.path, SHELL: folder.resolve('bash') };
  const tool = shellTool({ environment, keepEnvironment: [] });
  expect(await runToolForText(tool, { command: 'echo x' }, { cwd: folder.path })).toBe('x');
});

test('bytes that are not UTF-8 are replaced', async () => {
  expect(await runToolForText(shell, { command: String.raw`printf 'a\xffb'` }, { cwd: '/' })).toBe('a\ufffdb');
});

test('a gigabyte of output keeps its beginning and its end, in little memory', { timeout: 60_000 }, async () => {
  verifies('F16');
  const before = process.memoryUsage.rss();
  let peak = before;
  let emitted = 0;
  const emit = (text: string) => {
    emitted += text.length;
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const command = 'echo first; yes | head -c 1G; echo last';
  const text = await runToolForText(shell, { command }, { cwd: '/', emit });
  expect(text).toMatch(/^first\ny\n/);
  expect(text).toMatch(/y\nlast$/);
  expect(text).toContain(`[… ${1024 ** 3 + 11 - 32 * 1024} bytes omitted …]`);
  expect(peak - before).toBeLessThan(64 * 1024 * 1024);
  expect(emitted).toBeLessThan(128 * 1024);
});

test('output is emitted while the command runs', async () => {
  const abort = new AbortController();
  const seen: string[] = [];
  const emit = (text: string) => {
    seen.push(text);
    abort.abort();
  };
  await runTool(shell, { command: 'echo now; sleep 1000' }, { cwd: '/', signal: abort.signal, emit });
  expect(seen.join('')).toBe('now\n');
});

test('many commands leave neither processes nor zombies', async () => {
  verifies('F43');
  const children = trackChildren();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 5 }, () => runTool(shell, { command: 'true' }, { cwd: '/' })));
  }
  const mine = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  expect(mine.filter((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '))).toEqual([]);
  expect(children()).toEqual([]);
});

test('longer output is saved to a file that can be read like one of the workspace', async () => {
  await using folder = await temporaryFolder();
  const savedOutputs = new Set<string>();
  const saving = shellTool({ environment: process.env, keepEnvironment: [], savedOutputs });
  const short = await runTool(saving, { command: 'seq 100' }, { cwd: folder.path });
  expect(short.content).not.toContain('whole output');
  const { content } = await runTool(saving, { command: 'seq 100000' }, { cwd: folder.path });
  const [path = ''] = savedOutputs;
  expect(content).toContain(`[the whole output is in ${path}]`);
  expect(await readFile(path, 'utf8')).toBe(Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join(''));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const resolver = createPathResolver({ roots: [folder.path], files: savedOutputs });
  expect((await resolver.resolve(path, folder.path)).insideRoots).toBe(true);
  expect((await resolver.resolve(`${path}.other`, folder.path)).insideRoots).toBe(false);
  await rm(dirname(path), { recursive: true });
});

test('a timeout below 1000 is in seconds and ends at the limit', () => {
  expect(shell.parse({ command: 'true', timeout: 5 })).toMatchObject({ timeout: 5000 });
  expect(shell.parse({ command: 'true', timeout: 900 })).toMatchObject({ timeout: 600_000 });
  expect(shell.parse({ command: 'true', timeout: 1500 })).toMatchObject({ timeout: 1500 });
});

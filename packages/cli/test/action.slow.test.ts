import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { calls, type ScriptedReply, says } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { ACTION, type ActionRun, runAction } from './action-runner.js';
import { BIN, openCliFixture } from './cli-fixture.js';

const KEY = 'sk-secret-of-the-job';

interface Job {
  readonly replies: readonly ScriptedReply[];
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs the action in a workspace with these files. */
async function runJob({ replies, inputs = {}, env = {}, files = {} }: Job) {
  await using fixture = await openCliFixture(replies);
  for (const [name, content] of Object.entries(files)) await fixture.workspace.write(`checkout/${name}`, content);
  await fixture.workspace.write('checkout/README.md', 'A project.');
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: baseUrl = '', ...others } = fixture.env;
  const run: ActionRun = await runAction({
    inputs: { 'api-key': KEY, 'base-url': baseUrl, executable: BIN, sandbox: 'off', prompt: 'go', ...inputs },
    env: {
      ...others,
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      GITHUB_EVENT_NAME: 'push',
      GITHUB_ACTOR: 'maintainer',
      GITHUB_REPOSITORY: 'owner/project',
      ...env,
    },
    workspace: fixture.workspace.resolve('checkout'),
    temp: fixture.workspace.path,
  });
  const { requests } = fixture.model;
  const lines = await readFile(run.outputs['execution-file'] ?? '', 'utf8').catch(() => '');
  const has = (name: string) => existsSync(fixture.workspace.resolve(`checkout/${name}`));
  return { ...run, lines, requests, made: { answer: has('answer.md'), pwned: has('pwned') } };
}

/** The commands that the runner obeys: those outside of stopped parts. */
function commandsOf(log: string): string[] {
  let token: string | undefined;
  return log.split('\n').filter((line) => {
    const [, stop] = /^::stop-commands::(.+)$/.exec(line) ?? [];
    if (token === undefined && stop !== undefined) token = stop;
    else if (token !== undefined && line === `::${token}::`) token = undefined;
    else return token === undefined && line.startsWith('::');
    return false;
  });
}

test('no script of the action contains an expression, and foreign actions are pinned by commit', () => {
  for (const { run, uses } of ACTION.runs.steps) {
    expect(run ?? '').not.toContain('${{');
    if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
  }
});

test('a run sets the outputs, writes the file and the summary, and hides the key', async () => {
  const job = await runJob({
    replies: [calls({ name: 'read_file', input: { file_path: 'README.md' } }), says(`Two\nlines. ${KEY}`)],
    inputs: { 'output-file': 'answer.md', 'prompt-file': 'task.md', model: 'chosen' },
    files: { 'task.md': 'from the file' },
  });
  expect(job).toMatchObject({ exitCode: 0, made: { answer: true } });
  expect(job.requests[0]).toMatchObject({ model: 'chosen' });
  expect(job.requests[0]?.messages.at(-1)?.content).toBe('go\n\nfrom the file');
  expect(job.outputs).toMatchObject({ conclusion: 'success', 'final-message': 'Two\nlines. ***' });
  expect(job.outputs['session-id']).toMatch(/^[0-9a-f-]{36}$/);
  const types = job.lines
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line).type);
  expect(types.filter((type) => type !== 'system')).toEqual(['assistant', 'user', 'assistant', 'result']);
  expect(job.summary).toContain('## qwen: done\n\nTwo\nlines. ***');
  expect(job.log).toContain('> read_file {"file_path":"README.md"}');
  expect([job.log.replace(`::add-mask::${KEY}`, ''), job.lines, job.summary].join('\n')).not.toContain(KEY);
});

test('shell text in inputs, and workflow commands in answers, are text', async () => {
  const prompt = '"; touch pwned; $(touch pwned) `touch pwned` \'\n::set-output name=a::b';
  const answer = '::error::forged\n::add-path::/tmp\n::stop-commands::x\n::x::';
  const job = await runJob({
    replies: [says(answer)],
    inputs: { prompt, 'allowed-tools': 'Bash(npm test)\n$(touch pwned)' },
  });
  expect(job.made.pwned).toBe(false);
  expect(commandsOf(job.log).filter((line) => !line.startsWith('::add-mask::'))).toEqual([
    expect.stringMatching(/^::error title=qwen failed::.*touch pwned/),
  ]);
  const plain = await runJob({ replies: [says(answer)], inputs: { prompt } });
  expect(plain).toMatchObject({ exitCode: 0, made: { pwned: false }, outputs: { 'final-message': answer } });
  expect(plain.requests[0]?.messages.at(-1)?.content).toBe(prompt);
  expect(commandsOf(plain.log).every((line) => line.startsWith('::add-mask::'))).toBe(true);
});

test('commands of the agent do not see the key and the files that later steps trust', async () => {
  const job = await runJob({
    replies: [calls({ name: 'run_shell_command', input: { command: 'env' } }), says('done')],
    inputs: { 'allowed-tools': 'Bash(env)' },
    env: { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'oidc-token', GITHUB_TOKEN: 'ghs_of_the_job' },
  });
  const seen = JSON.stringify(job.requests[1]?.messages.at(-1)?.content);
  expect(seen).toContain('GITHUB_WORKSPACE');
  expect(seen).not.toMatch(/GITHUB_(?:OUTPUT|ENV|TOKEN)|QWEN_ACTION|oidc-token|ghs_|sk-secret/);
});

test('a call that no rule allows is denied with a warning', async () => {
  const job = await runJob({
    replies: [calls({ name: 'run_shell_command', input: { command: 'touch pwned' } }), says('I may not.')],
  });
  expect(job).toMatchObject({ exitCode: 0, made: { pwned: false } });
  expect(commandsOf(job.log)).toContainEqual(
    expect.stringMatching(/^::warning title=qwen%3A run_shell_command was denied::.*--allowed-tools/),
  );
});

describe('a failure is an error annotation and an exit code', () => {
  test.each([
    ['a turn that fails', [says('not JSON')], { 'json-schema': '{"type":"object"}' }, 1, 'output schema'],
    ['an invalid setting', [says('hi')], { settings: '{"a": ' }, 2, '--settings'],
    ['an unknown sandbox', [says('hi')], { sandbox: 'yes' }, 2, '--sandbox'],
    ['no prompt', [says('hi')], { prompt: '' }, 1, 'The prompt is empty'],
    ['an unknown provider', [says('hi')], { provider: 'constructor' }, 1, 'The input provider is "constructor"'],
    ['a misspelled choice', [says('hi')], { 'fail-on': 'errors' }, 1, 'The input fail-on is "errors"'],
    ['a missing program', [says('hi')], { executable: '/missing/qwen' }, 1, 'ENOENT'],
  ])('%s', async (_what, replies, inputs, exitCode, message) => {
    const job = await runJob({ replies, inputs });
    expect(job).toMatchObject({ exitCode, outputs: { conclusion: 'failure', 'final-message': '' } });
    expect(commandsOf(job.log).find((line) => line.startsWith('::error'))).toContain(message);
  });
});

test('findings become annotations of files and fail the step if wanted', async () => {
  const finding = (annotation_level: string, message: string) => ({
    path: 'src/a,b.ts',
    start_line: 3,
    annotation_level,
    message,
  });
  const annotations = [
    finding('warning', 'Slow:\n::error::50%'),
    finding('failure', 'Wrong'),
    finding('fatal', 'skip'),
  ];
  const replies = [calls({ name: 'structured_output', input: { annotations: annotations.slice(0, 2) } })];
  const inputs = { annotations: 'true' };
  const job = await runJob({ replies, inputs: { ...inputs, 'fail-on': 'failure' } });
  expect(job).toMatchObject({ exitCode: 1, outputs: { conclusion: 'findings' } });
  expect(JSON.parse(job.outputs['structured-output'] ?? '').annotations).toHaveLength(2);
  expect(commandsOf(job.log).slice(-2)).toEqual([
    '::error file=src/a%2Cb.ts,line=3::Wrong',
    '::warning file=src/a%2Cb.ts,line=3::Slow:%0A::error::50%25',
  ]);
  expect(await runJob({ replies, inputs })).toMatchObject({ exitCode: 0, outputs: { conclusion: 'success' } });
});

describe('the user who caused the event', () => {
  /** Answers like GitHub: an owner, a reader, and no one else. */
  async function withGitHub<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
    const known: Readonly<Record<string, string>> = { owner: 'admin', writer: 'write', reader: 'read' };
    await using server = createServer(({ url = '', headers }, response) => {
      const [, user = ''] = /^\/repos\/owner\/project\/collaborators\/([^/]+)\/permission$/.exec(url) ?? [];
      if (headers.authorization !== 'Bearer ghs_job_token') response.writeHead(401).end();
      else if (user === 'broken') response.writeHead(500).end();
      else if (!Object.hasOwn(known, user)) response.writeHead(404).end();
      else response.end(JSON.stringify({ permission: known[user] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return await work(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  }

  test.each([
    ['writer', '', 0, ''],
    ['helper[bot]', 'other, helper[bot]', 0, ''],
    ['reader', '', 1, 'reader caused the event "issue_comment" and has no write access'],
    ['stranger', 'writer', 1, 'stranger caused the event'],
    ['../../users/owner', '', 1, 'has no write access'],
    ['broken', '', 1, 'GitHub did not return the access of broken (500)'],
  ])('%s with allowed-users "%s"', async (actor, allowed, exitCode, message) => {
    const env = { GITHUB_EVENT_NAME: 'issue_comment', GITHUB_ACTOR: actor };
    const job = await withGitHub((url) =>
      runJob({ replies: [says('Hello.')], inputs: { 'allowed-users': allowed }, env: { ...env, GITHUB_API_URL: url } }),
    );
    expect(job.exitCode).toBe(exitCode);
    expect(job.log).toContain(message);
    expect(job.requests).toHaveLength(exitCode === 0 ? 1 : 0);
  });
});

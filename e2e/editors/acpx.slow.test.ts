import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import schema from '@agentclientprotocol/sdk/schema/v1/schema.json' with { type: 'json' };
import { BIN, openCliFixture } from '@qwen/cli/test/cli-fixture.js';
import { calls, says, type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';

// A published client that is not ours, installed for this run.
const CLIENT = 'acpx@0.19.1';
const run = promisify(execFile);

let tools: TemporaryFolder;
let isInstalled = false;

beforeAll(async () => {
  tools = await temporaryFolder();
  const args = ['install', '--prefix', tools.path, '--no-audit', '--no-fund', '--ignore-scripts', CLIENT];
  isInstalled = await run('npm', args, { cwd: tools.path, timeout: 300_000 }).then(
    () => true,
    () => false,
  );
}, 320_000);
afterAll(() => tools[Symbol.asyncDispose]());

test('acpx runs a prompt with a permitted edit; every message of ours fits the schema', { timeout: 120_000 }, async ({
  skip,
}) => {
  skip(!isInstalled, 'the npm registry cannot be reached');
  const todos = [{ content: 'write the file', status: 'in_progress' }];
  await using fixture = await openCliFixture([
    calls({ name: 'todo_write', input: { todos } }),
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'by acpx' } }),
    calls({ name: 'run_shell_command', input: { command: 'cat a.txt; mkdir -p made' } }),
    says('all done'),
  ]);
  const agent = `${process.execPath} ${BIN} --acp`;
  const words = ['--approve-all', '--agent', agent, '--format', 'json', '--cwd', fixture.workspace.path, 'exec', 'go'];
  const { stdout } = await run(process.execPath, [tools.resolve('node_modules/acpx/dist/cli.js'), ...words], {
    cwd: fixture.workspace.path,
    env: { ...fixture.env, PATH: process.env['PATH'] ?? '' },
    timeout: 100_000,
  });
  expect(await fixture.workspace.read('a.txt')).toBe('by acpx');
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  expect(JSON.stringify(lines)).toContain('all done');
  expect(lines.find(({ result }) => result?.stopReason !== undefined)?.result).toMatchObject({
    stopReason: 'end_turn',
  });

  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const fits = (name: string, value: unknown): string => {
    const check = ajv.compile({ ...schema, anyOf: undefined, oneOf: undefined, $ref: `#/$defs/${name}` });
    return check(value) ? '' : `${name}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(value)}`;
  };
  expect(fits('PromptResponse', { stopReason: 'bored' })).toContain('stopReason');
  const names: Readonly<Record<string, string>> = {
    initialize: 'InitializeResponse',
    'session/new': 'NewSessionResponse',
    'session/prompt': 'PromptResponse',
    'session/update': 'SessionNotification',
    'session/request_permission': 'RequestPermissionRequest',
  };
  const checked = new Map<string, string[]>();
  const pending = new Map<unknown, string>();
  for (const { id, method, params, result } of lines) {
    const name = names[method] ?? (method === undefined ? pending.get(id) : undefined);
    if (name === undefined) continue;
    // Answers to our questions have ids that requests of the client may have too.
    if (method !== undefined && name.endsWith('Response')) pending.set(id, name);
    else if (method !== undefined || result?.outcome === undefined) {
      checked.set(name, [...(checked.get(name) ?? []), fits(name, result ?? params)]);
    }
  }
  expect(new Set(checked.keys())).toEqual(new Set(Object.values(names)));
  expect([...checked.values()].flat().filter((problem) => problem !== '')).toEqual([]);
});

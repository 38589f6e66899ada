import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const SUITE = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist', 'index.js');
const CLIENT = join(dirname(fileURLToPath(import.meta.url)), 'programs', 'conformance-client.mjs');

const MET = /\b0 failed, 0 warnings/;

/** Measures how soon we come back, so it runs by itself. */
const TIMED = 'sse-retry';

/** Its server names another issuer than its address, which RFC 8414 section 3.3 tells clients to refuse. */
const REFUSED = 'auth/2025-03-26-oauth-metadata-backcompat';

const SCENARIOS = [
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
];

test('the suite has no client scenario that the list lacks', async () => {
  const { stdout } = await run(process.execPath, [SUITE, 'list']);
  const listed = stdout.slice(stdout.indexOf('Client scenarios'));
  const names = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set([...SCENARIOS, TIMED, REFUSED]));
});

/** What the suite says about us; it rejects with that when a check fails. */
async function reportOf(scenario: string): Promise<string> {
  await using folder = await temporaryFolder();
  const command = `"${process.execPath}" "${CLIENT}"`;
  const args = [SUITE, 'client', '--command', command, '--scenario', scenario];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder.path });
  return stdout + stderr;
}

test(`conformance: ${TIMED}`, async () => {
  expect(await reportOf(TIMED)).toMatch(MET);
});

test(`conformance: ${REFUSED} is refused`, async () => {
  await expect(reportOf(REFUSED)).rejects.toThrow('Issuer mismatch');
});

describe.concurrent('conformance', () => {
  test.each(SCENARIOS)('%s', async (scenario) => {
    verifies('O-40', 'S100');
    expect(await reportOf(scenario)).toMatch(MET);
  });
});

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runScenario } from './conformance-client.js';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const SUITE = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist', 'index.js');

/** An extension: tokens that are bound to a key (RFC 9449). No revision requires it. */
const NOT_IMPLEMENTED = ['auth/dpop', 'auth/dpop-nonce'];

/** The suite starts all scenarios at once; this many run at a time. */
const AT_ONCE = 3;
const LIMIT_MS = 200_000;
const failures = new Map<string, unknown>();
const waiting: Array<() => Promise<void>> = [];
let running = 0;

/** One process for all scenarios: starting one for each took most of the time. */
const client = createServer((request, response) => {
  waiting.push(async () => {
    const scenario = String(request.headers['x-scenario']);
    try {
      await runScenario({ scenario, context: await text(request), url: String(request.headers.referer) });
      response.writeHead(204).end();
    } catch (thrown) {
      failures.set(scenario, thrown);
      response.writeHead(500).end();
    }
  });
  void runWaiting();
});

async function runWaiting(): Promise<void> {
  if (running >= AT_ONCE) return;
  running += 1;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  running -= 1;
}

beforeAll(() => new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve)));
afterAll(() => void client.close());

/** Of all scenarios of a run, as the suite prints it. */
async function reportOf(...args: readonly string[]): Promise<string> {
  await using folder = await temporaryFolder();
  const { port } = client.address() as AddressInfo;
  // The suite appends the URL of its server.
  const command = `curl -sSf -H "x-scenario: $MCP_CONFORMANCE_SCENARIO" --data-binary "$MCP_CONFORMANCE_CONTEXT" http://127.0.0.1:${port} --referer`;
  const options = ['--command', command, '--timeout', String(LIMIT_MS)];
  const { stdout, stderr } = await run(process.execPath, [SUITE, 'client', ...args, ...options], {
    cwd: folder.path,
  }).catch(
    // It exits with 1 when a check fails.
    (thrown: { stdout: string; stderr: string }) => thrown,
  );
  return stdout + stderr;
}

test.each(['2025-11-25', '2026-07-28'])('conformance: revision %s', { timeout: LIMIT_MS }, async (revision) => {
  verifies('O-40', 'S100');
  const report = await reportOf('--requirements', revision);
  const failed = [...report.matchAll(/^✗ (\S+):/gm)].map(([, name]) => String(name));
  const reasons = failed.map((name) => `${name}: ${String(failures.get(name))}`).join('\n');
  expect(failed.toSorted(), `${reasons}\n${report}`).toEqual(NOT_IMPLEMENTED);
  expect([...report.matchAll(/^✓ /gm)].length).toBeGreaterThan(20);
  expect(report).toMatch(/, 0 warnings/);
});

test.each(['endpoint-fallback', 'metadata-backcompat'])(
  'conformance: revision 2025-03-26, %s',
  { timeout: LIMIT_MS },
  async (scenario) => {
    const report = await reportOf('--spec-version', '2025-03-26', '--scenario', `auth/2025-03-26-oauth-${scenario}`);
    expect(report).toMatch(/\b0 failed, 0 warnings/);
  },
);

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CLAUDE_AGENT_SDK } from './claude-agent-sdk.ts';

const run = promisify(execFile);

test('the page agrees with the types of both packages', { timeout: 400_000 }, async ({ skip }) => {
  const { packageName, version } = CLAUDE_AGENT_SDK;
  const isReachable = await run('npm', ['view', `${packageName}@${version}`, 'version'], { timeout: 60_000 }).then(
    () => true,
    () => false,
  );
  skip(!isReachable, 'the npm registry cannot be reached');
  const script = fileURLToPath(new URL('compat-tables.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [script]).catch((failure: { stdout: string; stderr: string }) => ({
    stdout: failure.stderr + failure.stdout,
  }));
  expect(stdout).toMatch(new RegExp(`^${packageName} ${version}: 0 faults in \\d+ tables\\n$`));
});

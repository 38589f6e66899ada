import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, openCliFixture, prompt, SDK_FLAGS } from './cli-fixture.js';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';
const STEPS = 60;

/** The ids in a line with a complete answer or a result. */
function toldIn(line: string): readonly string[] {
  const isWhole = line.includes('"type":"assistant"') || line.includes('"type":"tool_result"');
  return isWhole ? [...line.matchAll(/"(?:id|tool_use_id)":"(step_\d+)"/g)].map(([, id]) => id ?? '') : [];
}

test('a line is emitted only after its content is in the session file', async () => {
  verifies('F82');
  const steps = Array.from({ length: STEPS }, (_, at) =>
    calls({ id: `step_${at}`, name: 'list_directory', input: { path: '.', ignore: [String(at)] } }),
  );
  await using fixture = await openCliFixture([...steps, says('done')]);
  const file = fixture.workspace.resolve(`home/.qwen/sessions/${ID}.jsonl`);
  const agent = spawn(process.execPath, [BIN, ...SDK_FLAGS, '--session-id', ID], {
    cwd: fixture.workspace.path,
    env: fixture.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const early: string[] = [];
  let told = 0;
  let rest = '';
  agent.stdout.setEncoding('utf8').on('data', (text: string) => {
    // Read at once, so that a record written after the line would be missing.
    const written = readFileSync(file, 'utf8');
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const kind = line.includes('"type":"assistant"') ? '"id":"' : '"tool_use_id":"';
      for (const id of toldIn(line)) {
        told += 1;
        if (!written.includes(`${kind}${id}"`)) early.push(line);
      }
    }
  });
  agent.stdin.end(`${JSON.stringify(prompt('look'))}\n`);
  await once(agent, 'close');
  expect(told).toBe(2 * STEPS);
  expect(early).toEqual([]);
});

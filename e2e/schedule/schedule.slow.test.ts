import {
  calls,
  isolatedEnvironment,
  lastText,
  type ScriptedReply,
  says,
  startScriptedModel,
  temporaryFolder,
  trackChildren,
  verifies,
  waitUntilGone,
} from '@qwen/testkit';
import { expect, test } from 'vitest';
import { Random } from './random.ts';
import { SessionRun } from './session-run.ts';

// Random steps of an app with the real program. SCHEDULE_SEED=… repeats a run.
const SEED = Number(process.env['SCHEDULE_SEED'] ?? Date.now() % 1_000_000_000);
const SESSIONS = 4;
const STEPS_PER_SESSION = 1_000;

/** Does the task of the prompt and accepts any result. */
const script: ScriptedReply = (request) => {
  const task = /^task: (\w+)$/.exec(lastText(request))?.[1];
  switch (task) {
    case 'write':
      return calls({ name: 'write_file', input: { file_path: 'note.txt', content: `${request.messages.length}` } });
    case 'fast':
    case 'slow':
    case 'broken':
      return calls({ name: `mcp__app__${task}`, input: {} }, { name: 'mcp__app__fast', input: {} });
    case 'stream':
      return says('An answer of some length, so that it comes in many pieces. '.repeat(40));
    default:
      return says('so be it');
  }
};

test(`four thousand random steps leave nothing behind: seed ${SEED}`, { timeout: 120_000 }, async () => {
  verifies('F33', 'FB1', 'FB3', 'FB6', 'FB7');
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([script]);
  const env = isolatedEnvironment(folder.resolve('home'), model.env);
  const random = new Random(SEED);
  const children = trackChildren();
  let requests = 0;
  let prompts = 0;
  for (let number = 0; number < SESSIONS; number += 2) {
    // Two at a time; of each pair one is closed at a random step.
    const pair = [0, 1].map(() => new SessionRun({ random, cwd: folder.path, env }));
    for (let step = 0; step < 2 * STEPS_PER_SESSION; step += 1) await random.pick([pair[0], pair[1]])?.step();
    const pids = await Promise.all(pair.map(({ pid }) => pid));
    await Promise.all([pair[0]?.finish(), pair[1]?.breakOff()]);
    for (const pid of pids) await waitUntilGone(pid ?? 0, { deadlineMs: 2_000 });
    expect(pair[0]?.ledger.unpaired).toEqual([]);
    expect(pair[0]?.counts.results).toBe(pair[0]?.counts.prompts);
    for (const { ledger, counts } of pair) {
      expect(ledger.faults).toEqual([]);
      requests += ledger.requestCount;
      prompts += counts.prompts;
    }
  }
  expect(children()).toEqual([]);
  // A schedule without requests would leave nothing behind either.
  expect(requests).toBeGreaterThan(1_200);
  expect(prompts).toBeGreaterThan(60);
});

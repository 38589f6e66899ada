import { createModel, type ModelPart } from '@qwen/models';
import { startWireServer, type WireReply } from '@qwen/testkit';
import { collect, partsOf, QUESTION } from './collect.js';
import type { FamilyUnderTest } from './families.js';
import { ManualClock } from './manual-clock.js';

/** What remains of the parts of an answer that was discarded and requested again. */
function lastAnswer(parts: readonly ModelPart[]): readonly ModelPart[] {
  return parts.slice(parts.findLastIndex(({ type }) => type === 'retry') + 1);
}

/** Asks one question of a server that sends these bytes. */
export async function askWire(family: FamilyUnderTest, replies: readonly WireReply[]) {
  const clock = new ManualClock();
  await using server = await startWireServer(replies);
  const model = await createModel({ ...family.configFor(server.url), clock });
  const parts = await collect(model, QUESTION, { clock });
  const last = lastAnswer(parts);
  return {
    text: partsOf(last, 'text_delta')
      .map(({ text }) => text)
      .join(''),
    calls: partsOf(last, 'tool_call_end')
      .filter(({ input }) => input !== undefined)
      .map(({ name }) => name),
    retries: partsOf(parts, 'retry').map(({ error }) => error.code),
    failure: parts.at(-1)?.type === 'failure' ? partsOf(parts, 'failure')[0]?.error.code : undefined,
    requests: server.requests.length,
    pendingTimers: clock.pendingCount,
  };
}

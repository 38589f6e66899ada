import { AgentError, type Usage } from '@qwen/protocol';
import type { ModelClock } from '../clock.js';
import { AnswerBody } from '../http/answer-body.js';
import { openAnswer } from '../http/open-answer.js';
import { toThrownError } from '../http/thrown-error.js';
import type { ModelLimits } from '../model.js';
import type { ModelPart, ModelRequest } from '../parts.js';
import { Deadline } from './deadline.js';
import { type AnswerProgress, type AnswerReader, interruptedError, type Provider } from './provider.js';

/** How long counts may trail behind the finish reason before we do without them, in milliseconds. */
const CLOSING_MS = 2_000;

/** One call of a provider and what it may use. */
export interface Call {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly limits: ModelLimits;
  readonly clock: ModelClock;
  readonly signal: AbortSignal;
}

/** Why a call brought no whole answer. */
export interface CallFailure {
  readonly error: AgentError;
  /** Part of the answer went out, so it cannot be asked for again without telling the reader twice (F68). */
  readonly emitted: boolean;
  readonly usage: Usage | undefined;
}

/**
 * Makes one call: yields `start`, content and `finish`, or returns why it failed. `start` waits for the first content,
 * so that a call that fails before can be made again unseen (F67). Leaving early closes the connection.
 */
export async function* runCall(call: Call): AsyncGenerator<ModelPart, CallFailure | undefined> {
  const reader = call.provider.createReader();
  using deadline = new Deadline(call.clock, call.signal);
  let body: AnswerBody | undefined;
  let emitted = false;
  let finished = false;
  try {
    body = await openBody(call, deadline);
    armFor(reader.progress, deadline, call.limits);
    while (reader.progress !== 'closed') {
      const batch = await nextBatch(body, reader, deadline);
      if (batch === undefined) break;
      const before = reader.progress;
      let silent = true;
      for (const payload of batch) {
        for (const part of reader.read(payload)) {
          // Time that our own reader takes is not time that the provider wastes.
          if (silent) deadline.disarm();
          silent = false;
          if (!emitted) yield { type: 'start', ...reader.head };
          emitted = true;
          yield part;
          if (deadline.reason !== undefined) throw deadline.reason;
        }
      }
      if (!silent || reader.progress !== before) armFor(reader.progress, deadline, call.limits);
    }
    deadline.disarm();
    const last = reader.end();
    if (!emitted) yield { type: 'start', ...reader.head };
    emitted = true;
    finished = true;
    yield* last;
    return undefined;
  } catch (thrown) {
    return { error: deadline.reason ?? toThrownError(thrown), emitted, usage: reader.usage };
  } finally {
    if (!finished) deadline.end(new AgentError('aborted', 'The answer was not read to its end.'));
    body?.release(call.clock);
  }
}

async function openBody({ provider, request, limits, clock }: Call, deadline: Deadline): Promise<AnswerBody> {
  if (deadline.reason !== undefined) throw deadline.reason;
  const ms = limits.responseTimeoutMs;
  deadline.arm(ms, () => new AgentError('timeout', `The provider did not begin to answer within ${ms} ms.`));
  const prepared = await deadline.guard(provider.prepare(request));
  const answer = await deadline.guard(openAnswer(prepared, { signal: deadline.signal, clock }));
  return new AnswerBody(answer);
}

/** The next batch of payloads; undefined at the end, which may be ragged once the answer said why it ends (F74). */
async function nextBatch(
  body: AnswerBody,
  reader: AnswerReader,
  deadline: Deadline,
): Promise<readonly string[] | undefined> {
  try {
    const batch = await body.read();
    if (deadline.reason !== undefined) throw deadline.reason;
    return batch;
  } catch (thrown) {
    if (deadline.reason?.code === 'aborted') throw deadline.reason;
    if (reader.progress === 'closing') return undefined;
    throw AgentError.is(thrown) ? thrown : interruptedError(toThrownError(thrown).message);
  }
}

/** Content must come within its time, and the end soon after the reason; comments and empty deltas are neither (F69). */
function armFor(progress: AnswerProgress, deadline: Deadline, { idleTimeoutMs }: ModelLimits): void {
  const ms = progress === 'answering' ? idleTimeoutMs : CLOSING_MS;
  deadline.arm(ms, () => new AgentError('stream_stalled', `Nothing of the answer arrived for ${ms} ms.`));
}

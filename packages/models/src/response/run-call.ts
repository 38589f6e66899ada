import { AgentError, type Usage } from '@qwen/protocol';
import type { ModelClock } from '../clock.js';
import { openResponse } from '../http/open-response.js';
import { ResponseBody } from '../http/response-body.js';
import { endpointOf } from '../http/send-request.js';
import { toThrownError } from '../http/thrown-error.js';
import type { ModelLimits } from '../model.js';
import type { ModelPart, ModelRequest } from '../parts.js';
import { Deadline } from './deadline.js';
import { interruptedError, type Provider, type ResponseProgress, type ResponseReader } from './provider.js';

/** Wait for usage after the finish reason, in milliseconds. */
const CLOSING_MS = 2_000;

export interface Call {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly limits: ModelLimits;
  readonly clock: ModelClock;
  readonly signal: AbortSignal;
}

export interface CallFailure {
  readonly error: AgentError;
  /** Content was emitted, so a retry would repeat it. */
  readonly emitted: boolean;
  readonly usage: Usage | undefined;
}

/**
 * Yields the parts, or returns the failure. `start` waits for content, so that earlier failures can be retried
 * unnoticed.
 */
export async function* runCall(call: Call): AsyncGenerator<ModelPart, CallFailure | undefined> {
  const reader = call.provider.createReader();
  using deadline = new Deadline(call.clock, call.signal);
  let body: ResponseBody | undefined;
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
          // The consumer's time does not count.
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
    if (!finished) deadline.end(new AgentError('aborted', 'The response was not read to its end.'));
    body?.release(call.clock);
  }
}

async function openBody({ provider, request, limits, clock }: Call, deadline: Deadline): Promise<ResponseBody> {
  if (deadline.reason !== undefined) throw deadline.reason;
  const ms = limits.responseTimeoutMs;
  let endpoint = 'the provider';
  deadline.arm(ms, () => new AgentError('timeout', `No response from ${endpoint} within ${ms / 1_000} s.`));
  const prepared = await deadline.guard(provider.prepare(request));
  endpoint = endpointOf(prepared.url);
  try {
    return new ResponseBody(await deadline.guard(openResponse(prepared, { signal: deadline.signal, clock })));
  } catch (thrown) {
    throw toThrownError(thrown, endpoint);
  }
}

/** A broken end is ignored after the finish reason. */
async function nextBatch(
  body: ResponseBody,
  reader: ResponseReader,
  deadline: Deadline,
): Promise<readonly string[] | undefined> {
  try {
    const batch = await body.read();
    if (deadline.reason !== undefined) throw deadline.reason;
    return batch;
  } catch (thrown) {
    if (deadline.reason?.code === 'aborted') throw deadline.reason;
    if (reader.progress === 'closing') return undefined;
    if (AgentError.is(thrown)) throw thrown;
    const { data, message } = toThrownError(thrown);
    const { systemCode } = data;
    throw interruptedError(typeof systemCode === 'string' ? systemCode : message);
  }
}

/** Comments and empty deltas do not reset the timer. */
function armFor(progress: ResponseProgress, deadline: Deadline, { idleTimeoutMs }: ModelLimits): void {
  const ms = progress === 'streaming' ? idleTimeoutMs : CLOSING_MS;
  deadline.arm(ms, () => new AgentError('stream_stalled', `The response stalled: no data for ${ms / 1_000} s.`));
}

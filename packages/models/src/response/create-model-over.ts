import { type ModelClock, systemClock } from '../clock.js';
import type { ModelConfig } from '../config.js';
import { createRedact, type Redact, secretsOf } from '../http/redact.js';
import { DEFAULT_MODEL_LIMITS, type Model } from '../model.js';
import type { ModelPart } from '../parts.js';
import { retryDelayMs } from '../retry.js';
import { abortedError } from './deadline.js';
import type { Provider } from './provider.js';
import { type Call, runCall } from './run-call.js';

/** Wraps a provider with retries and error handling. */
export function createModelOver(config: ModelConfig, createProvider: (config: ModelConfig) => Provider): Model {
  const clock = config.clock ?? systemClock;
  const limits = { ...DEFAULT_MODEL_LIMITS, ...config.limits };
  const redact = createRedact(secretsOf(config));
  const provider = createProvider(config);
  return {
    stream(request, { signal }) {
      const leaving = new AbortController();
      const call = { provider, request, limits, clock, signal: AbortSignal.any([signal, leaving.signal]) };
      const parts = streamResponse(call, redact);
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => parts.next(),
          // A plain generator would settle `return` only after the pending `next`.
          return: () => {
            leaving.abort();
            return parts.return(undefined);
          },
        }),
      };
    },
  };
}

async function* streamResponse(call: Call, redact: Redact): AsyncGenerator<ModelPart, undefined> {
  const { limits, clock, signal } = call;
  for (let attempt = 1; ; attempt += 1) {
    const failed = yield* runCall(call);
    if (failed === undefined) return undefined;
    const error = redact(failed.error);
    const delayMs = failed.emitted ? undefined : retryDelayMs({ error, attempt, limits, random: clock.random() });
    if (delayMs === undefined) {
      yield { type: 'failure', error, ...(failed.usage !== undefined && { usage: failed.usage }) };
      return undefined;
    }
    yield { type: 'retry', attempt, delayMs, error };
    if (!(await waitFor(delayMs, clock, signal))) {
      yield { type: 'failure', error: abortedError() };
      return undefined;
    }
  }
}

/** Resolves with false if the caller aborts. */
function waitFor(ms: number, clock: ModelClock, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const onAbort = () => {
      cancelTimer();
      resolve(false);
    };
    const cancelTimer = clock.startTimer(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve(true);
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

import type { AgentError } from '@qwen/protocol';
import { type ModelClock, systemClock } from '../clock.js';
import type { ModelConfig } from '../config.js';
import { checkHeaders } from '../http/check-headers.js';
import { explainFailure } from '../http/explain-failure.js';
import { createRedact, secretsOf } from '../http/redact.js';
import { limitsFor, type Model } from '../model.js';
import type { ModelPart } from '../parts.js';
import { RetryPlan } from '../retry.js';
import { abortedError } from './deadline.js';
import type { Provider } from './provider.js';
import { readTextParts, type TextHabits } from './read-text-parts.js';
import { RequestShape } from './request-shape.js';
import { type Call, type CallFailure, runCall } from './run-call.js';

/** Wraps a provider with retries and error handling. */
export function createModelOver(config: ModelConfig, createProvider: (config: ModelConfig) => Provider): Model {
  const clock = config.clock ?? systemClock;
  const limits = limitsFor(config.baseUrl, config.limits);
  const redact = createRedact(secretsOf(config));
  const shape = new RequestShape(config);
  const provider = createProvider(config);
  const endpoint: Endpoint = {
    hasAnswered: false,
    statesReason: false,
    leavesOutReason: false,
    adapt: ({ error, emitted }) => !emitted && shape.learn(error),
    redact,
    explain: ({ error, url }, model) => explainFailure(redact(error), { ...config.sources, ...limits, model, url }),
  };
  const habits = new Map<string, TextHabits>();
  const habitsOf = (name: string): TextHabits => {
    const known = habits.get(name) ?? { startsInThinking: false };
    habits.set(name, known);
    return known;
  };
  return {
    stream(request, { signal, hasFallback = false, onUsage }) {
      const leaving = new AbortController();
      const prepare: Provider['prepare'] = async (asked) => {
        checkHeaders(config);
        return shape.toBody(await provider.prepare(shape.toRequest(asked)));
      };
      const call = {
        provider: { ...provider, prepare },
        request,
        limits,
        clock,
        proxy: config.proxy,
        onUsage,
        signal: AbortSignal.any([signal, leaving.signal]),
      };
      const response = streamResponse(call, endpoint, new RetryPlan({ limits, hasFallback }));
      const parts = readTextParts(response, request, { ...config.textReading, habits: habitsOf(request.model) });
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

interface Endpoint {
  /** True if the next request leaves out what this one was refused for. */
  adapt(failed: CallFailure): boolean;
  /** With whatever status. An address that never did is probably wrong. */
  hasAnswered: boolean;
  /** It ended a stream with a finish reason. */
  statesReason: boolean;
  /** It ended a stream without one. */
  leavesOutReason: boolean;
  redact(error: AgentError): AgentError;
  explain(failed: CallFailure, model: string): AgentError;
}

async function* streamResponse(call: Call, endpoint: Endpoint, plan: RetryPlan): AsyncGenerator<ModelPart, undefined> {
  const { request, clock, signal } = call;
  let leavesOutMarker = false;
  for (;;) {
    const failed: CallFailure | undefined = yield* runCall({
      ...call,
      leavesOutReason: endpoint.leavesOutReason,
      leavesOutMarker,
    });
    // A fault of a gateway, unless the endpoint has never stated a reason: that one must remain usable.
    if (failed === undefined && !endpoint.leavesOutReason && !leavesOutMarker) endpoint.statesReason = true;
    leavesOutMarker = failed?.error.data['isWhole'] === true && !endpoint.statesReason;
    endpoint.leavesOutReason ||= failed?.error.data['hasMarker'] === true && !endpoint.statesReason;
    endpoint.hasAnswered ||= failed === undefined || failed.emitted || failed.error.data['status'] !== undefined;
    if (failed === undefined) return undefined;
    if (endpoint.adapt(failed)) {
      yield { type: 'retry', attempt: plan.attempt + 1, delayMs: 0, error: endpoint.redact(failed.error) };
      continue;
    }
    const error = endpoint.explain(failed, request.model);
    const { hasAnswered } = endpoint;
    const delayMs = plan.nextDelayMs({ error, emitted: failed.emitted, hasAnswered, random: clock.random() });
    if (delayMs === undefined) {
      yield { type: 'failure', error, ...(failed.usage !== undefined && { usage: failed.usage }) };
      return undefined;
    }
    yield { type: 'retry', attempt: plan.attempt, delayMs, error, ...(failed.emitted && { discards: true }) };
    if (!(await waitFor(delayMs, clock, signal))) {
      yield { type: 'failure', error: abortedError() };
      return undefined;
    }
  }
}

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

import { AgentError } from '../errors.js';
import type { TraceContext } from '../trace-context.js';

/** A request that we ask, as long as it waits. */
export interface AskedSpan {
  /** What the other side shall know of it; undefined: nothing. */
  readonly context: TraceContext | undefined;
  /** It is over, with this error or with an answer. Called once. Must not throw. */
  end(error?: AgentError): void;
}

/** A request that we serve. */
export interface ServedRequest {
  readonly subtype: string;
  /** What the asker told of its own span. */
  readonly trace: TraceContext | undefined;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Follows control requests as spans of a trace, on either side. No verb of it may throw by itself. */
export interface ControlTracer {
  /** A request goes out. */
  ask(request: { readonly subtype: string; readonly payload: unknown }): AskedSpan;
  /**
   * Calls `run` at once and once, such that what it does belongs to the span of the request, and gives what it gives or
   * throws. The span ends with it, or when `signal` aborts.
   */
  serve<Result>(request: ServedRequest, run: () => Result): Result;
}

/** Calls `run` and `end` once when it is over: returned, thrown, settled, or of no use any more. Gives what `run` gives. */
export function followRun<Result>(
  run: () => Result,
  { signal, end }: { readonly signal: AbortSignal; readonly end: (error?: AgentError) => void },
): Result {
  let isOver = false;
  const finish = (error?: AgentError): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener('abort', onAbort);
    end(error);
  };
  const onAbort = (): void => finish(AgentError.from(signal.reason, 'cancelled'));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const result = run();
    if (!(result instanceof Promise)) finish();
    else
      result.then(
        () => finish(),
        (thrown: unknown) => finish(AgentError.from(thrown, 'handler_failed')),
      );
    return result;
  } catch (thrown) {
    finish(AgentError.from(thrown, 'handler_failed'));
    throw thrown;
  }
}

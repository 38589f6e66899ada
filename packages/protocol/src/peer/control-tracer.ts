import { AgentError } from '../errors.js';
import type { TraceContext } from '../trace-context.js';

export interface AskedSpan {
  /** Trace context for the other side; undefined: none. */
  readonly context: TraceContext | undefined;
  end(error?: AgentError): void;
}

export interface ServedRequest {
  readonly subtype: string;
  readonly trace: TraceContext | undefined;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** Traces control requests of either side. Its methods must not throw. */
export interface ControlTracer {
  ask(request: { readonly subtype: string; readonly payload: unknown }): AskedSpan;
  /**
   * Calls `run` synchronously once, inside the span of the request, and returns its result. The span ends with it,
   * or when `signal` aborts.
   */
  serve<Result>(request: ServedRequest, run: () => Result): Result;
}

/** Calls `run`, and `end` once when it returned, threw, settled or was aborted. Returns the result of `run`. */
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

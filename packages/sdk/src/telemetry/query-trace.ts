import type { AgentError, ControlTracer, TraceContext } from '@qwen/protocol';

/** How a query or session came out. */
export interface TraceEnding {
  readonly outcome: 'finished' | 'closed' | 'aborted' | 'failed';
  /** What it failed with. */
  readonly error?: AgentError | undefined;
  readonly sessionId?: string | undefined;
  /** Subtype of its last result, when it had one. */
  readonly lastResult?: string | undefined;
}

/**
 * The span of one query, in an app that traces (L-11). Nothing of it throws: OpenTelemetry promises that of its calls. Its
 * types stay out of here: an app without it must compile.
 */
export interface QueryTrace {
  /** Control requests of both sides; callbacks of the app run inside of their spans. */
  readonly control: ControlTracer;
  /** The query gets its prompt: from here on it has a span, below what is active now. Only the first call counts. */
  begin(): void;
  /** What the CLI that starts now is told of its parent. */
  tell(): TraceContext | undefined;
  /** What a prompt that is sent now belongs to, where that is not what the CLI was told. */
  ofPrompt(): TraceContext | undefined;
  /** It is over. Only the first call counts. */
  end(ending: TraceEnding): void;
}

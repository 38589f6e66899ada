import type { AgentEvent } from '@qwen/agent';
import type { ControlTracer, TraceContext } from '@qwen/protocol';

export interface SessionObserver {
  /** Receives the content of a prompt before its turn starts. */
  expect(turnId: string, content: unknown): void;
  /** Receives each event in order. Never throws, never waits. */
  observe(event: AgentEvent): void;
  /** Ends all open spans. Idempotent. */
  end(): void;
}

export interface Telemetry {
  /** Control requests of both sides. */
  readonly control: ControlTracer;
  /** `model` is the model at the start of the session. */
  follow(sessionId: string, model: string): SessionObserver;
  /** Sets another parent for a turn; call before it starts. */
  expect(turnId: string, trace: TraceContext): void;
  /** The span of a running call, for programs that it asks. */
  traceOf(callId: string): TraceContext | undefined;
  /** Flushes within a second. Idempotent, never rejects. */
  close(): Promise<void>;
}

import type { AgentEvent } from '@qwen/agent';
import type { ControlTracer, TraceContext } from '@qwen/protocol';

export interface SessionObserver {
  /** Receives each event in order. Never throws, never waits. */
  observe(event: AgentEvent): void;
  /** Ends all open spans. Idempotent. */
  end(): void;
}

export interface Telemetry {
  /** Control requests of both sides. */
  readonly control: ControlTracer;
  follow(sessionId: string): SessionObserver;
  /** Sets another parent for a turn; call before it starts. */
  expect(turnId: string, trace: TraceContext): void;
  /** Flushes within a second. Idempotent, never rejects. */
  close(): Promise<void>;
}

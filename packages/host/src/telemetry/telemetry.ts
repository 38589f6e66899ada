import type { AgentEvent } from '@qwen/agent';
import type { ControlTracer, TraceContext } from '@qwen/protocol';

/** Follows one session as spans. */
export interface SessionObserver {
  /** Takes each event of the session, in order. Never throws and never waits. */
  observe(event: AgentEvent): void;
  /** The session is over; whatever is open ends. Idempotent. */
  end(): void;
}

/** The spans of this process, where telemetry is on (L-11, GAP-55). Whoever opened it closes it. */
export interface Telemetry {
  /** Control requests of both sides. */
  readonly control: ControlTracer;
  /** A session begins. */
  follow(sessionId: string): SessionObserver;
  /** The turn of this id belongs to another span than that of its session; told before it starts. */
  expect(turnId: string, trace: TraceContext): void;
  /** Ends what is open and sends what waits, within a second. Idempotent, never rejects. */
  close(): Promise<void>;
}

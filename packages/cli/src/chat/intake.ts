import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { ChatRequest } from '@qwen/protocol/openai';

/** A request on its way into its session. */
export interface Intake {
  readonly session: LiveSession;
  readonly request: ChatRequest;
  readonly promptId: string;
  readonly turnId: string;
  /** Aborts when the request is cancelled before its turn began. */
  readonly signal: AbortSignal;
}

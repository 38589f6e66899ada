import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { ChatRequest } from '@qwen/protocol/openai';

export interface Intake {
  readonly session: LiveSession;
  readonly request: ChatRequest;
  readonly promptId: string;
  readonly turnId: string;
  /** Aborts if the request is cancelled before its turn starts. */
  readonly signal: AbortSignal;
}

import type { AgentEvent } from '@qwen/agent';
import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { AgentError } from '@qwen/protocol';
import type { ControlFailure } from '../../control/controllers/controller.js';
import type { LineOrigin } from '../../dialects/openai/line-parts.js';

/** Writes session events as lines or as text. */
export interface EventWriter {
  readonly asksHost: boolean;
  /** In order. Resolves when there is room; never rejects. */
  writeEvent(event: AgentEvent, session: LiveSession): Promise<void>;
  originOf(session: LiveSession): LineOrigin;
  /** Writes a line that no event produces. */
  writeLine(line: object): void;
  /** Writes the fatal error. */
  fail(error: AgentError, session: LiveSession): void;
  forget(session: LiveSession): void;
  /** Reports a failed permission or hook request. */
  noteControlError(session: LiveSession, failure: ControlFailure): void;
}

import type { AgentEvent } from '@qwen/agent';
import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { AgentError } from '@qwen/protocol';
import type { ControlFailure } from '../../control/control-context.js';
import type { LineOrigin } from '../../dialects/openai/line-parts.js';

/** How a mode tells what happens: as lines, or as text for people. */
export interface Voice {
  /** Whether questions can be asked through the output. */
  readonly asksHost: boolean;
  /** Tells the events of a session, in order; resolves when there is room for the next one. Never rejects. */
  narrate(event: AgentEvent, session: LiveSession): Promise<void>;
  /** Where a line about this session would come from now. */
  originOf(session: LiveSession): LineOrigin;
  /** Says at once what no event says: an answer, a refusal, a sign of life. */
  say(line: object): void;
  /** The last words: why nothing goes on. */
  fail(error: AgentError, session: LiveSession): void;
  /** Nothing more is told of this session, or much later and from its beginning. */
  forget(session: LiveSession): void;
  /** A question about this session that came to nothing (K-09). */
  noteControlError(session: LiveSession, failure: ControlFailure): void;
}

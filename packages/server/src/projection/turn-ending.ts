import { AgentError, ERROR_CODES, type SDKResultMessage } from '@qwen/protocol';
import type { PublicEventBody, PublicEventBodyOf, TurnOutcome } from '@qwen/protocol/server';

/** An error as everybody may see it. */
export type PublicError = PublicEventBodyOf<'session.error'>['error'];

/** How a turn ended, as far as the events say it. */
export type TurnEnd =
  | {
      readonly outcome: TurnOutcome;
      /** Milliseconds since it started. */
      readonly durationMs: number;
      readonly usage?: SDKResultMessage['usage'] | undefined;
      /** The last words of the model, where the agent says them itself. */
      readonly result?: string | undefined;
      readonly error?: PublicError | undefined;
    }
  /** The server went away in it, by a crash or because it was told to, or could not write how it ended. */
  | { readonly outcome: 'interrupted'; readonly reason: 'server_crash' | 'server_shutdown' | 'server_fault' };

/** The turn that ended. */
export interface EndedTurn {
  readonly place: Pick<PublicEventBodyOf<'turn.ended'>, 'session_thread_id' | 'turn_id' | 'parent_tool_use_id'>;
  readonly requestId: string;
  /** The last words of the model. */
  readonly lastText: string;
}

/** The last events of a turn; the session is idle behind them. */
export function endingOf({ place, requestId, lastText }: EndedTurn, end: TurnEnd): readonly PublicEventBody[] {
  const request_id = requestId;
  const result = lastText === '' ? {} : { result: lastText };
  const idle: PublicEventBody = { ...place, type: 'session.status_idle' };
  if (end.outcome === 'interrupted') {
    return [{ ...place, type: 'turn.interrupted', request_id, reason: end.reason, ...result }, idle];
  }
  const { outcome, durationMs, usage, error } = end;
  const failure: readonly PublicEventBody[] = error === undefined ? [] : [{ ...place, type: 'session.error', error }];
  return [
    ...failure,
    {
      ...place,
      type: 'turn.ended',
      request_id,
      outcome,
      duration_ms: durationMs,
      ...(usage !== undefined && { usage }),
      ...result,
      ...(error !== undefined && { error }),
    },
    idle,
  ];
}

/** What an answer that was cut off says of why it ended. */
export function stopReasonOf({ outcome }: TurnEnd): string {
  return outcome === 'cancelled' || outcome === 'interrupted' ? 'interrupted' : 'error';
}

/** These say in their message what only the owner of the machine should read: stderr, paths, stacks (S78). */
const KEPT_BACK: ReadonlySet<string> = new Set(['process_exited', 'spawn_failed', 'cli_not_found', 'internal']);

/** What was thrown, as everybody may see it. */
export function toPublicError(thrown: unknown): PublicError {
  const { code, message, retryable } = AgentError.from(thrown);
  return { code, message: KEPT_BACK.has(code) ? ERROR_CODES[code].meaning : message, retryable };
}

/** What an agent says of a turn that failed. Its codes may be those of another version. */
export function errorOfResult({ subtype, error }: SDKResultMessage): PublicError {
  const code = error?.code ?? subtype;
  const known = Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as keyof typeof ERROR_CODES] : undefined;
  return { code, message: error?.message ?? `The turn ended with ${subtype}.`, retryable: known?.retryable ?? false };
}

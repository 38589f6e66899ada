import { AgentError, ERROR_CODES, type ErrorCode, type SDKResultMessage } from '@qwen/protocol';
import type { PublicEventBody, PublicEventBodyOf, TurnOutcome } from '@qwen/protocol/server';

/** An error without private details. */
export type PublicError = PublicEventBodyOf<'session.error'>['error'];

export type TurnEnd =
  | {
      readonly outcome: TurnOutcome;
      readonly durationMs: number;
      readonly usage?: SDKResultMessage['usage'] | undefined;
      readonly result?: string | undefined;
      readonly error?: PublicError | undefined;
      readonly costUsd?: number | undefined;
    }
  /** The server crashed, shut down, could not write the end, or could not run the session. */
  | {
      readonly outcome: 'interrupted';
      readonly reason: 'server_crash' | 'server_shutdown' | 'server_fault' | 'attempts_exhausted';
    };

export interface EndedTurn {
  readonly scope: Pick<PublicEventBodyOf<'turn.ended'>, 'session_thread_id' | 'turn_id' | 'parent_tool_use_id'>;
  readonly requestId: string;
  readonly lastText: string;
}

export function endingOf({ scope, requestId, lastText }: EndedTurn, end: TurnEnd): readonly PublicEventBody[] {
  const request_id = requestId;
  const result = lastText === '' ? {} : { result: lastText };
  const idle: PublicEventBody = { ...scope, type: 'session.status_idle' };
  if (end.outcome === 'interrupted') {
    return [{ ...scope, type: 'turn.interrupted', request_id, reason: end.reason, ...result }, idle];
  }
  const { outcome, durationMs, usage, error, costUsd } = end;
  const failure: readonly PublicEventBody[] = error === undefined ? [] : [{ ...scope, type: 'session.error', error }];
  return [
    ...failure,
    {
      ...scope,
      type: 'turn.ended',
      request_id,
      outcome,
      duration_ms: durationMs,
      ...(usage !== undefined && { usage }),
      ...(costUsd !== undefined && { cost_usd: costUsd }),
      ...result,
      ...(error !== undefined && { error }),
    },
    idle,
  ];
}

export function stopReasonOf({ outcome }: TurnEnd): string {
  return outcome === 'cancelled' || outcome === 'interrupted' ? 'interrupted' : 'error';
}

/** Codes whose messages may contain stderr, paths or stacks. */
const PRIVATE_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'process_exited',
  'spawn_failed',
  'cli_not_found',
  'usage',
  'invalid_settings',
  'unsupported_node',
  'internal',
]);

export function toPublicError(thrown: unknown): PublicError {
  const { code, message, retryable } = AgentError.from(thrown);
  return { code, message: PRIVATE_CODES.has(code) ? ERROR_CODES[code].meaning : message, retryable };
}

/** The agent may be of another version, so its codes may be unknown. */
export function errorOfResult(result: SDKResultMessage): PublicError {
  const { subtype } = result;
  const error = 'error' in result ? result.error : undefined;
  const code = error?.code ?? subtype;
  const known = Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as keyof typeof ERROR_CODES] : undefined;
  return { code, message: error?.message ?? `The turn ended with ${subtype}.`, retryable: known?.retryable ?? false };
}

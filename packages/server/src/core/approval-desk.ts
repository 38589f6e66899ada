import { AgentError } from '@qwen/protocol';
import type { ApprovalSource, PublicEventBody } from '@qwen/protocol/server';
import { type CanUseToolContext, type PermissionResult, type ToolInput, toPermissionUpdates } from '@qwen/sdk';
import { newApprovalId, subagentThreadId } from '../store/session-ids.js';
import type { ApprovalVerdict } from './session-service.js';

type Place = Pick<
  Extract<PublicEventBody, { type: 'approval.requested' }>,
  'session_thread_id' | 'turn_id' | 'parent_tool_use_id'
>;

export interface ApprovalDeskOptions {
  readonly place: Place & { readonly turn_id: string };
  readonly requestId: string;
  /** How long a question waits, in milliseconds; then the tool is denied. */
  readonly timeoutMs: number;
  /** Puts events in the log; resolves when they are there. */
  readonly tell: (bodies: readonly PublicEventBody[]) => Promise<void>;
}

interface Question {
  readonly approvalId: string;
  readonly toolUseId: string;
  readonly suggestions: NonNullable<CanUseToolContext['suggestions']>;
  readonly settle: (verdict: ApprovalVerdict, by: ApprovalSource) => void;
}

/**
 * The permission questions of one turn. Each is an event that everybody sees who follows the session, so it survives a
 * lost connection; the first answer counts. Without one it is a no (GAP-71).
 */
export class ApprovalDesk {
  readonly #options: ApprovalDeskOptions;
  readonly #questions = new Set<Question>();

  constructor(options: ApprovalDeskOptions) {
    this.#options = options;
  }

  /** Asks, and gives the answer as the agent takes it. Rejects only with what the log says: the agent then denies. */
  async ask(toolName: string, input: ToolInput, context: CanUseToolContext): Promise<PermissionResult> {
    const { requestId, timeoutMs, tell } = this.#options;
    const { toolUseId, reason, blockedPath, signal } = context;
    const suggestions = context.suggestions ?? [];
    const approvalId = newApprovalId();
    const place = this.#placeOf(context.parentToolUseId);
    const answered = this.#wait({ approvalId, toolUseId, suggestions, signal });
    await tell([
      {
        ...place,
        type: 'approval.requested',
        approval_id: approvalId,
        request_id: requestId,
        tool_use_id: toolUseId,
        tool_name: toolName,
        input,
        ...(reason !== undefined && { reason }),
        ...(blockedPath !== null && { blocked_path: blockedPath }),
        ...(suggestions.length > 0 && { suggestions: [...suggestions] }),
        expires_at: Date.now() + timeoutMs,
      },
    ]);
    const { verdict, by } = await answered;
    const { behavior } = verdict;
    const message = behavior === 'deny' ? (verdict.message ?? DENIED[by]) : undefined;
    await tell([
      {
        ...place,
        type: 'approval.settled',
        approval_id: approvalId,
        tool_use_id: toolUseId,
        behavior,
        by,
        ...(message !== undefined && { message }),
      },
    ]);
    const chosen = verdict.suggestion === undefined ? undefined : suggestions[verdict.suggestion];
    const updatedPermissions = chosen === undefined ? undefined : toPermissionUpdates(chosen);
    if (verdict.behavior === 'allow') {
      return { behavior: 'allow', updatedInput: verdict.updatedInput, updatedPermissions };
    }
    return { behavior: 'deny', message: message ?? '', updatedPermissions };
  }

  /** Answers a question by its id or its tool call. False when there is none. Errors: `invalid_payload`. */
  answer(
    { approvalId, toolUseId }: { readonly approvalId?: string | undefined; readonly toolUseId?: string | undefined },
    verdict: ApprovalVerdict,
  ): boolean {
    const question = [...this.#questions].find(
      (asked) => asked.approvalId === approvalId || (approvalId === undefined && asked.toolUseId === toolUseId),
    );
    if (question === undefined) return false;
    if (verdict.suggestion !== undefined && question.suggestions[verdict.suggestion] === undefined) {
      throw new AgentError('invalid_payload', `suggestion: the question has ${question.suggestions.length} of them`);
    }
    question.settle(verdict, 'client');
    return true;
  }

  /** The turn is over: whatever is still asked is denied. */
  close(): void {
    for (const { settle } of this.#questions) settle({ behavior: 'deny' }, 'withdrawn');
  }

  #wait({ signal, ...asked }: Omit<Question, 'settle'> & { readonly signal: AbortSignal }) {
    return new Promise<{ readonly verdict: ApprovalVerdict; readonly by: ApprovalSource }>((resolve) => {
      const settle: Question['settle'] = (verdict, by) => {
        if (!this.#questions.delete(question)) return;
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        resolve({ verdict, by });
      };
      const question: Question = { ...asked, settle };
      const onAbort = () => settle({ behavior: 'deny' }, 'withdrawn');
      const timer = setTimeout(settle, this.#options.timeoutMs, { behavior: 'deny' }, 'deadline');
      this.#questions.add(question);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }

  #placeOf(parentToolUseId: string | null): Place {
    const { place } = this.#options;
    if (parentToolUseId === null) return place;
    const session_thread_id = subagentThreadId(place.turn_id, parentToolUseId);
    return { ...place, session_thread_id, parent_tool_use_id: parentToolUseId };
  }
}

const DENIED: Readonly<Record<ApprovalSource, string>> = {
  client: 'The user said no.',
  deadline: 'Nobody answered in time whether this may run.',
  withdrawn: 'The turn was stopped before anybody answered whether this may run.',
};

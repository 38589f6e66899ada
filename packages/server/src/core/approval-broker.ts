import { AgentError } from '@qwen/protocol';
import type { ApprovalSource, PublicEventBody, QuestionPolicy } from '@qwen/protocol/server';
import { type CanUseToolContext, type PermissionResult, type ToolInput, toPermissionUpdates } from '@qwen/sdk';
import type { ServerLogger } from '../logging/server-logger.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { newApprovalId, subagentThreadId } from '../store/session-ids.js';
import type { AuditEntry } from './audit-log.js';
import type { ApprovalVerdict } from './session-service.js';

type EventScope = Pick<
  Extract<PublicEventBody, { type: 'approval.requested' }>,
  'session_thread_id' | 'turn_id' | 'parent_tool_use_id'
>;

export interface ApprovalBrokerOptions {
  readonly scope: EventScope & { readonly turn_id: string };
  readonly requestId: string;
  readonly sessionId: string;
  readonly timeoutMs: number;
  readonly logger?: ServerLogger | undefined;
  readonly metrics?: ServerMetrics | undefined;
  /** Default `wait`. */
  readonly policy?: QuestionPolicy | undefined;
  /** Called before an answer takes effect. If it rejects, the call is denied. */
  readonly audit?: ((entry: AuditEntry) => Promise<void>) | undefined;
  readonly emit: (bodies: readonly PublicEventBody[]) => Promise<void>;
}

interface PendingApproval {
  readonly approvalId: string;
  readonly toolUseId: string;
  readonly suggestions: NonNullable<CanUseToolContext['suggestions']>;
  readonly settle: (verdict: ApprovalVerdict, by: ApprovalSource) => void;
}

interface Settled {
  readonly verdict: ApprovalVerdict;
  readonly by: ApprovalSource;
}

/** Approval requests of one turn. They are events, so they survive a lost connection. The first answer counts. */
export class ApprovalBroker {
  readonly #options: ApprovalBrokerOptions;
  readonly #pending = new Set<PendingApproval>();

  constructor(options: ApprovalBrokerOptions) {
    this.#options = options;
  }

  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Rejects only with errors of the log; the agent then denies the tool. */
  async ask(toolName: string, input: ToolInput, context: CanUseToolContext): Promise<PermissionResult> {
    const { requestId, policy = 'wait', timeoutMs, emit } = this.#options;
    const { toolUseId, reason, blockedPath, signal } = context;
    const suggestions = context.suggestions ?? [];
    const approvalId = newApprovalId();
    const scope = this.#scopeOf(context.parentToolUseId);
    const answered = this.#observe(approvalId, toolName, this.#wait({ approvalId, toolUseId, suggestions, signal }));
    await emit([
      {
        ...scope,
        type: 'approval.requested',
        approval_id: approvalId,
        request_id: requestId,
        tool_use_id: toolUseId,
        tool_name: toolName,
        input,
        ...(reason !== undefined && { reason }),
        ...(blockedPath !== null && { blocked_path: blockedPath }),
        ...(suggestions.length > 0 && { suggestions: [...suggestions] }),
        expires_at: Date.now() + (policy === 'wait' ? timeoutMs : 0),
      },
    ]);
    if (policy !== 'wait') this.#settle(approvalId, { behavior: 'deny' }, 'policy');
    const { verdict, by } = await this.#audited({ approvalId, toolName, input }, await answered);
    const { behavior } = verdict;
    const message = behavior === 'deny' ? (verdict.message ?? DENIED[by]) : undefined;
    await emit([
      {
        ...scope,
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

  /** False if no request matches. Errors: `invalid_payload`. */
  answer(
    { approvalId, toolUseId }: { readonly approvalId?: string | undefined; readonly toolUseId?: string | undefined },
    verdict: ApprovalVerdict,
  ): boolean {
    const pending = [...this.#pending].find(
      (each) => each.approvalId === approvalId || (approvalId === undefined && each.toolUseId === toolUseId),
    );
    if (pending === undefined) return false;
    if (verdict.suggestion !== undefined && pending.suggestions[verdict.suggestion] === undefined) {
      const { length } = pending.suggestions;
      throw new AgentError('invalid_payload', `suggestion: index out of range, the request has ${length} suggestions`);
    }
    pending.settle(verdict, 'client');
    return true;
  }

  #settle(approvalId: string, verdict: ApprovalVerdict, by: ApprovalSource): void {
    for (const pending of this.#pending) if (pending.approvalId === approvalId) pending.settle(verdict, by);
  }

  async #audited(
    {
      approvalId,
      toolName,
      input,
    }: { readonly approvalId: string; readonly toolName: string; readonly input: ToolInput },
    settled: Settled,
  ): Promise<Settled> {
    const { audit, sessionId, scope } = this.#options;
    const { verdict, by } = settled;
    try {
      await audit?.({
        at: new Date().toISOString(),
        actor: by === 'client' ? (verdict.actor ?? 'admin') : by,
        behavior: verdict.behavior,
        session_id: sessionId,
        turn_id: scope.turn_id,
        approval_id: approvalId,
        tool: toolName,
        input,
        ...(verdict.behavior === 'allow' && { updated_input: verdict.updatedInput }),
        has_suggestion: verdict.suggestion !== undefined,
      });
      return settled;
    } catch {
      return { verdict: { behavior: 'deny', message: 'The approval could not be recorded in the audit log.' }, by };
    }
  }

  close(): void {
    for (const { settle } of this.#pending) settle({ behavior: 'deny' }, 'withdrawn');
  }

  /** Logs and counts, without the input of the tool. */
  async #observe(approvalId: string, toolName: string, answered: Promise<Settled>): Promise<Settled> {
    const { logger, metrics, sessionId, scope, requestId } = this.#options;
    const askedAtMs = performance.now();
    metrics?.approvalsWaiting.inc();
    const settled = await answered;
    const waitedMs = performance.now() - askedAtMs;
    const { behavior } = settled.verdict;
    metrics?.approvalsWaiting.dec();
    metrics?.approvals.inc({ behavior, by: settled.by });
    metrics?.approvalSeconds.observe(waitedMs / 1000);
    logger?.info(
      {
        session_id: sessionId,
        turn_id: scope.turn_id,
        request_id: requestId,
        approval_id: approvalId,
        tool: toolName,
        behavior,
        by: settled.by,
        waited_ms: Math.round(waitedMs),
      },
      'approval settled',
    );
    return settled;
  }

  #wait({ signal, ...request }: Omit<PendingApproval, 'settle'> & { readonly signal: AbortSignal }) {
    return new Promise<Settled>((resolve) => {
      const settle: PendingApproval['settle'] = (verdict, by) => {
        if (!this.#pending.delete(pending)) return;
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        resolve({ verdict, by });
      };
      const pending: PendingApproval = { ...request, settle };
      const onAbort = () => settle({ behavior: 'deny' }, 'withdrawn');
      const timer = setTimeout(settle, this.#options.timeoutMs, { behavior: 'deny' }, 'deadline');
      this.#pending.add(pending);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }

  #scopeOf(parentToolUseId: string | null): EventScope {
    const { scope } = this.#options;
    if (parentToolUseId === null) return scope;
    const session_thread_id = subagentThreadId(scope.turn_id, parentToolUseId);
    return { ...scope, session_thread_id, parent_tool_use_id: parentToolUseId };
  }
}

const DENIED: Readonly<Record<ApprovalSource, string>> = {
  client: 'The user declined.',
  deadline: 'No one answered the approval request in time.',
  policy: 'The question policy of the session denies calls that need a question.',
  withdrawn: 'The turn was stopped before the approval request was answered.',
};

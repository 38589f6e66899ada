import type { PermissionSuggestion, SandboxState } from '@qwen/protocol';
import type { ApprovalSource } from '@qwen/protocol/server';

/** The view model of a session. Immutable, so that equal objects need no new rendering. */
export interface Conversation {
  /** In order, subagents included. */
  readonly entries: readonly Entry[];
  readonly calls: ReadonlyMap<string, CallState>;
  /** Undefined between turns. */
  readonly runningRequestId: string | undefined;
  /** Oldest first. */
  readonly queuedRequestIds: readonly string[];
  /** The sandbox of commands. */
  readonly sandbox: SandboxState;
}

export type Entry = UserEntry | AnswerEntry | NoticeEntry | TurnEntry;

export interface UserEntry extends EntryScope {
  readonly kind: 'user';
  readonly requestId: string;
  readonly text: string;
  /** `data:` URLs. */
  readonly images: readonly string[];
  readonly files: readonly AttachedFile[];
}

export interface AttachedFile {
  readonly name: string;
  readonly text: string;
}

export interface AnswerEntry extends EntryScope {
  readonly kind: 'answer';
  readonly messageId: string;
  readonly blocks: readonly Block[];
  readonly isOpen: boolean;
}

export interface NoticeEntry extends EntryScope {
  readonly kind: 'notice';
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** The end of a turn that called the model. */
export interface TurnEntry extends EntryScope {
  readonly kind: 'turn';
  readonly durationMs: number;
  readonly usage: TurnUsage;
}

export interface TurnUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined if the price is unknown. */
  readonly costUsd: number | undefined;
}

interface EntryScope {
  /** Stable and unique in the conversation. */
  readonly key: string;
  readonly turnId: string | undefined;
  /** The tool call of a subagent; null for the main agent. */
  readonly parentToolUseId: string | null;
}

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly isOpen: boolean }
  | {
      readonly type: 'tool';
      readonly toolUseId: string;
      readonly name: string;
      /** Undefined while it streams. */
      readonly input: unknown;
      /** The JSON received so far. */
      readonly inputText: string;
    }
  | { readonly type: 'image'; readonly address: string }
  /** From a newer server, or not received yet. */
  | { readonly type: 'unknown' };

export interface CallState {
  readonly result?: { readonly content: unknown; readonly isError: boolean };
  readonly approval?: Approval;
}

export interface Approval {
  readonly approvalId: string;
  readonly requestId: string;
  readonly turnId: string | undefined;
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly reason: string | undefined;
  readonly blockedPath: string | undefined;
  readonly suggestions: readonly PermissionSuggestion[];
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly verdict?: {
    readonly behavior: 'allow' | 'deny';
    readonly by: ApprovalSource;
    readonly message: string | undefined;
  };
}

export const EMPTY_CONVERSATION: Conversation = {
  entries: [],
  calls: new Map(),
  runningRequestId: undefined,
  queuedRequestIds: [],
  sandbox: 'off',
};

/** Includes the turn, because some providers repeat tool call ids. */
export function toCallKey(turnId: string | undefined, toolUseId: string): string {
  return `${turnId ?? ''} ${toolUseId}`;
}

/** Messages that wait for the running turn, oldest first. */
export function waitingMessages({ entries, queuedRequestIds, runningRequestId }: Conversation): UserEntry[] {
  if (runningRequestId === undefined || queuedRequestIds.length === 0) return [];
  return entries.filter(
    (entry): entry is UserEntry => entry.kind === 'user' && queuedRequestIds.includes(entry.requestId),
  );
}

/** Undefined before the first turn that called the model. */
export function totalUsage({ entries }: Conversation): TurnUsage | undefined {
  const turns = entries.flatMap((entry) => (entry.kind === 'turn' ? [entry.usage] : []));
  if (turns.length === 0) return undefined;
  return turns.reduce((sum, { inputTokens, outputTokens, costUsd }) => ({
    inputTokens: sum.inputTokens + inputTokens,
    outputTokens: sum.outputTokens + outputTokens,
    costUsd: sum.costUsd === undefined || costUsd === undefined ? undefined : sum.costUsd + costUsd,
  }));
}

export function openApprovals({ calls }: Conversation): Approval[] {
  return [...calls.values()].flatMap(({ approval }) =>
    approval === undefined || approval.verdict !== undefined ? [] : [approval],
  );
}

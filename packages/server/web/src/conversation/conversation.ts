import type { PermissionSuggestion } from '@qwen/protocol';
import type { ApprovalSource } from '@qwen/protocol/server';

/** What a session looks like to a person. Never changed in place, so that what is the same object looks the same. */
export interface Conversation {
  /** In the order in which they came up; those of subagents too. */
  readonly entries: readonly Entry[];
  /** Tool calls by {@link toCallKey}. */
  readonly calls: ReadonlyMap<string, CallState>;
  /** The request of the turn that runs; undefined between turns. */
  readonly runningRequestId: string | undefined;
  /** Requests that wait behind it, oldest first. */
  readonly queuedRequestIds: readonly string[];
}

export type Entry = UserEntry | AnswerEntry | NoticeEntry;

export interface UserEntry extends EntryScope {
  readonly kind: 'user';
  readonly requestId: string;
  readonly text: string;
  /** `data:` addresses of pictures. */
  readonly images: readonly string[];
}

/** One answer of the model; it grows while it is open. */
export interface AnswerEntry extends EntryScope {
  readonly kind: 'answer';
  readonly messageId: string;
  readonly blocks: readonly Block[];
  readonly isOpen: boolean;
}

/** One line between the messages. */
export interface NoticeEntry extends EntryScope {
  readonly kind: 'remark';
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

interface EntryScope {
  /** The same for as long as the page lives; unique in the conversation. */
  readonly key: string;
  /** Missing between turns. */
  readonly turnId: string | undefined;
  /** The call of the task tool that it belongs to; null for the main agent. */
  readonly parentToolUseId: string | null;
}

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly isOpen: boolean }
  | {
      readonly type: 'tool';
      readonly toolUseId: string;
      readonly name: string;
      /** Undefined while its text is still coming. */
      readonly input: unknown;
      /** The JSON text of the input as far as it has come. */
      readonly inputText: string;
    }
  | { readonly type: 'image'; readonly address: string }
  /** A place whose block is not known: of a newer server, or not come yet. */
  | { readonly type: 'unknown' };

/** What became of a tool call. */
export interface CallState {
  readonly result?: { readonly content: unknown; readonly isError: boolean };
  readonly approval?: Approval;
}

/** A question whether a tool may run. */
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
  /** Missing while it waits for an answer. */
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
};

/** Names a tool call in its session: some providers give ids that are unique in one turn only. */
export function toCallKey(turnId: string | undefined, toolUseId: string): string {
  return `${turnId ?? ''} ${toolUseId}`;
}

/** Questions that wait for an answer, oldest first. */
export function openApprovals({ calls }: Conversation): Approval[] {
  return [...calls.values()].flatMap(({ approval }) =>
    approval === undefined || approval.verdict !== undefined ? [] : [approval],
  );
}

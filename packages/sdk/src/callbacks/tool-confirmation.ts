// Shapes for confirmation dialogs, with the names of qwen-code. Their members are snake_case on the wire.

interface ConfirmationTitle {
  /** One line to show to the user. */
  readonly title: string;
}

/** What to show before a tool call is approved, by kind of tool. */
export type ToolConfirmationDetails = ConfirmationTitle &
  (
    | {
        readonly type: 'edit';
        readonly fileName: string;
        readonly filePath: string;
        /** Unified diff. */
        readonly fileDiff: string;
        /** Null for a new file. */
        readonly originalContent: string | null;
        readonly newContent: string;
      }
    | {
        readonly type: 'exec';
        readonly command: string;
        /** The first program of the command. */
        readonly rootCommand: string;
      }
    | {
        readonly type: 'mcp';
        readonly serverName: string;
        readonly toolName: string;
        readonly toolDisplayName: string;
      }
    | { readonly type: 'info'; readonly prompt: string; readonly urls?: readonly string[] | undefined }
    | { readonly type: 'plan'; readonly plan: string }
  );

/** Answer to a tool call that awaits approval. */
export type ToolConfirmationOutcome = 'proceed_once' | 'proceed_always' | 'modify' | 'cancel';

/** A tool call that awaits approval. */
export interface WaitingToolCall {
  readonly status: 'awaiting_approval';
  readonly request: { readonly callId: string; readonly name: string; readonly args: Record<string, unknown> };
  readonly confirmationDetails: ToolConfirmationDetails & {
    /** Call it once. Rejects if the call no longer awaits approval. */
    readonly onConfirm: (outcome: ToolConfirmationOutcome) => Promise<void>;
  };
}

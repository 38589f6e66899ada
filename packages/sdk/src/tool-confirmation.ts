// The shapes in which a dialog shows a call that waits for a person (O-47, GAP-22), in the words of the older CLIs of
// this family. On the wire their members are snake_case.

/** What every kind of confirmation has. */
interface ConfirmationTitle {
  /** For people, in one line. */
  readonly title: string;
}

/** What a person must see before saying yes, by kind of tool. */
export type ToolConfirmationDetails = ConfirmationTitle &
  (
    | {
        readonly type: 'edit';
        readonly fileName: string;
        readonly filePath: string;
        /** Unified diff. */
        readonly fileDiff: string;
        /** Null for a file that is new. */
        readonly originalContent: string | null;
        readonly newContent: string;
      }
    | {
        readonly type: 'exec';
        readonly command: string;
        /** The program that the command runs first. */
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

/** What a person may say to a call that waits. */
export type ToolConfirmationOutcome = 'proceed_once' | 'proceed_always' | 'modify' | 'cancel';

/** A call that waits for a person. */
export interface WaitingToolCall {
  readonly status: 'awaiting_approval';
  readonly request: { readonly callId: string; readonly name: string; readonly args: Record<string, unknown> };
  readonly confirmationDetails: ToolConfirmationDetails & {
    /** Call it once. Rejects when nobody waits for the answer any more. */
    readonly onConfirm: (outcome: ToolConfirmationOutcome) => Promise<void>;
  };
}

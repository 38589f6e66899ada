import type { ContentBlock, ErrorCode, SessionRecord } from '@qwen/protocol';
import type { CommandDialog } from '@qwen/protocol/openai';

export type MessageLevel = 'info' | 'warning' | 'error';

/** The result of a slash command and what the host does with it. */
export type CommandOutcome =
  | { readonly type: 'handled' }
  | MessageOutcome
  /** The host opens a dialog; `content` is the text for hosts without it. */
  | { readonly type: 'dialog'; readonly dialog: CommandDialog; readonly content: string }
  | { readonly type: 'tool'; readonly toolRequest: ToolRequest }
  | SubmitPromptOutcome
  /** The conversation was replaced; hosts redraw it. */
  | { readonly type: 'load_history'; readonly history: readonly SessionRecord[] }
  | { readonly type: 'quit'; readonly messages: readonly string[] }
  /** Ask, then resend the command with `confirmationOutcome`. */
  | { readonly type: 'quit_confirmation'; readonly prompt: string }
  /** Ask about each command, then resend the invocation with `approvedCommands` and `confirmationOutcome`. */
  | {
      readonly type: 'confirm_shell_commands';
      readonly commands: readonly string[];
      readonly rawInvocation: string;
    }
  /** Ask, then resend the invocation with `confirmationOutcome`. */
  | { readonly type: 'confirm_action'; readonly prompt: string; readonly rawInvocation: string };

export interface SubmitPromptOutcome {
  readonly type: 'submit_prompt';
  readonly content: PromptContent;
  /** For the user. */
  readonly warnings?: readonly string[];
}

export interface MessageOutcome {
  readonly type: 'message';
  readonly level: MessageLevel;
  readonly content: string;
  readonly code?: ErrorCode;
  readonly suggestion?: string;
}

export interface ToolRequest {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type PromptContent = string | readonly ContentBlock[];

export function info(content: string): MessageOutcome {
  return { type: 'message', level: 'info', content };
}

export function failure(code: ErrorCode, content: string): MessageOutcome {
  return { type: 'message', level: 'error', content, code };
}

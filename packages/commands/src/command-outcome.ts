import type { ContentBlock, ErrorCode, SessionRecord } from '@qwen/protocol';
import type { CommandDialog } from '@qwen/protocol/openai';

/** How much a message matters to whoever reads it. */
export type MessageLevel = 'info' | 'warning' | 'error';

/** What a slash command came to, and what the host has to do about it (F-20 to F-28). */
export type CommandOutcome =
  /** All is done and there is nothing to show. */
  | { readonly type: 'handled' }
  | MessageOutcome
  /** The host opens a dialog; `content` says the same as words, for a host that has none of this name. */
  | { readonly type: 'dialog'; readonly dialog: CommandDialog; readonly content: string }
  /** A tool is to run as if the user had called it. */
  | { readonly type: 'tool'; readonly toolRequest: ToolRequest }
  /** The model gets this instead of what was typed. */
  | SubmitPromptOutcome
  /** The conversation was replaced by this one; hosts draw their view afresh. */
  | { readonly type: 'load_history'; readonly history: readonly SessionRecord[] }
  /** The program ends after these lines. */
  | { readonly type: 'quit'; readonly messages: readonly string[] }
  /** Ask, then send the command again with `confirmationOutcome`. */
  | { readonly type: 'quit_confirmation'; readonly prompt: string }
  /** Ask about each command, then send the invocation again with `approvedCommands` and `confirmationOutcome`. */
  | {
      readonly type: 'confirm_shell_commands';
      readonly commands: readonly string[];
      readonly rawInvocation: string;
    }
  /** Ask, then send the invocation again with `confirmationOutcome`. */
  | { readonly type: 'confirm_action'; readonly prompt: string; readonly rawInvocation: string };

/** Words for the model. */
export interface SubmitPromptOutcome {
  readonly type: 'submit_prompt';
  readonly content: PromptContent;
  /** What a person should know of it, e.g. that a file was cut. */
  readonly warnings?: readonly string[];
}

/** Words for people. */
export interface MessageOutcome {
  readonly type: 'message';
  readonly level: MessageLevel;
  readonly content: string;
  /** Of an error, so that programs need not read the words. */
  readonly code?: ErrorCode;
  /** The command that was probably meant, without the slash. */
  readonly suggestion?: string;
}

/** A call of a tool. */
export interface ToolRequest {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a user's message may hold. */
export type PromptContent = string | readonly ContentBlock[];

/** A message at level `info`. */
export function info(content: string): MessageOutcome {
  return { type: 'message', level: 'info', content };
}

/** A message at level `error`. */
export function failure(code: ErrorCode, content: string): MessageOutcome {
  return { type: 'message', level: 'error', content, code };
}

import type { ConfirmationOutcome } from '@qwen/protocol';

/** What a slash command asks before it goes on (F-26 … F-28). */
export type ConfirmQuestion =
  | {
      readonly kind: 'shell';
      /** The shell commands that would run. */
      readonly commands: readonly string[];
      /** The command line that leads to them. */
      readonly raw: string;
    }
  | { readonly kind: 'action'; readonly prompt: string; readonly raw: string }
  | { readonly kind: 'quit'; readonly prompt: string };

/** A yes for this time, for this session, or a no. */
export type ConfirmAnswer =
  | ConfirmationOutcome
  | {
      readonly outcome: ConfirmationOutcome;
      /** The shell commands that may run. Default: all that were asked about. */
      readonly approvedCommands?: readonly string[] | undefined;
    };

/** Answers questions of slash commands. A throw and an answer of another shape are a no. */
export type OnConfirm = (
  question: ConfirmQuestion,
  context: { readonly signal: AbortSignal },
) => ConfirmAnswer | Promise<ConfirmAnswer>;

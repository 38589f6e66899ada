import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { openUnion } from '../open-union.js';
import { chatPartSchema } from './chat-parts.js';
import { CONFIRMATION_OUTCOMES } from './confirmation-outcomes.js';

/**
 * Screens that only a client can show.
 *
 * @example
 * import { COMMAND_DIALOGS } from '@qwen/sdk/terminal';
 *
 * const screens = new Map(COMMAND_DIALOGS.map((dialog) => [dialog as string, () => console.log(`Open ${dialog}`)]));
 * screens.get('theme')?.();
 */
export const COMMAND_DIALOGS = [
  'auth',
  'theme',
  'editor',
  'privacy',
  'settings',
  'model',
  'subagent_create',
  'subagent_list',
  'help',
] as const;
export type CommandDialog = (typeof COMMAND_DIALOGS)[number];

const invocation = lazySchema(() => openObject({ raw: z.string() }));

const RESULTS = {
  /** Done by the program; nothing is left to do. */
  handled: openObject({ type: z.literal('handled') }),
  /** `level` is `info`, `warning` or `error`; `suggestion` is the command probably meant. */
  message: openObject({
    type: z.literal('message'),
    level: z.string(),
    content: z.string(),
    code: z.optional(z.string()),
    suggestion: z.optional(z.string()),
  }),
  /** Needs a screen of the client; one of {@link COMMAND_DIALOGS}. `content` is the same as text. */
  dialog: openObject({ type: z.literal('dialog'), dialog: z.string(), content: z.optional(z.string()) }),
  /** The client should call this tool, with a chat request that has this `tool_request`. */
  tool: openObject({
    type: z.literal('tool'),
    tool_request: openObject({ name: z.string(), args: z.record(z.string(), z.unknown()) }),
  }),
  /** Text for the model. With `handled_by` `cli` the program continues, else the client sends it. */
  submit_prompt: openObject({
    type: z.literal('submit_prompt'),
    parts: z.array(chatPartSchema),
    handled_by: z.optional(z.string()),
    /** Warnings for the user, e.g. a cut file. */
    warnings: z.optional(z.array(z.string())),
  }),
  /** The conversation was replaced; the client reloads it. */
  load_history: openObject({
    type: z.literal('load_history'),
    history: z.array(openObject({ role: z.string(), content: z.unknown() })),
  }),
  /** The program exits after this line. */
  quit: openObject({ type: z.literal('quit'), messages: z.array(z.unknown()) }),
  quit_confirmation: openObject({ type: z.literal('quit_confirmation'), prompt: z.string() }),
  /** Send it again with `approvedCommands` and `confirmationOutcome` to run it. */
  confirm_shell_commands: openObject({
    type: z.literal('confirm_shell_commands'),
    commands_to_confirm: z.array(z.string()),
    original_invocation: invocation,
    /** Why no control request was sent. */
    message: z.optional(z.string()),
  }),
  /** Send it again with `confirmationOutcome` to run it. */
  confirm_action: openObject({
    type: z.literal('confirm_action'),
    prompt: z.string(),
    original_invocation: invocation,
    message: z.optional(z.string()),
  }),
} as const;

type Results = typeof RESULTS;

export const commandResultSchema = lazySchema(() =>
  openUnion(Object.keys(RESULTS), [
    RESULTS.handled,
    RESULTS.message,
    RESULTS.dialog,
    RESULTS.tool,
    RESULTS.submit_prompt,
    RESULTS.load_history,
    RESULTS.quit,
    RESULTS.quit_confirmation,
    RESULTS.confirm_shell_commands,
    RESULTS.confirm_action,
  ]),
);
export type CommandResult = z.infer<Results[keyof Results]>;

/** A referenced file: as written, and its path. */
export const commandReferenceSchema = lazySchema(() => openObject({ original: z.string(), resolved: z.string() }));
export type CommandReference = z.infer<typeof commandReferenceSchema>;

/** A command. `path` names a slash command and its subcommands; `at` has none. */
export const commandDescriptorSchema = lazySchema(() =>
  openObject({
    kind: z.enum(['slash', 'at']),
    path: z.optional(z.array(z.string())),
    args: nullish(z.string()),
    references: nullish(z.array(commandReferenceSchema)),
    approvedCommands: nullish(z.array(z.string())),
    confirmationOutcome: nullish(z.enum(CONFIRMATION_OUTCOMES)),
  }),
);
export type CommandDescriptor = z.infer<typeof commandDescriptorSchema>;

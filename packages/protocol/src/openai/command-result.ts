import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { openUnion } from '../open-union.js';
import { chatPartSchema } from './chat-parts.js';
import { CONFIRMATION_OUTCOMES } from './confirmation-outcomes.js';

/** Screens that only a host can show. */
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
  /** Done inside of the program; nothing is left to do. */
  handled: openObject({ type: z.literal('handled') }),
  /** Text for people. `level` is `info`, `warning` or `error`; `suggestion` the command that was probably meant. */
  message: openObject({
    type: z.literal('message'),
    level: z.string(),
    content: z.string(),
    code: z.optional(z.string()),
    suggestion: z.optional(z.string()),
  }),
  /** Needs a screen of the host; one of {@link COMMAND_DIALOGS}. `content` says the same in words. */
  dialog: openObject({ type: z.literal('dialog'), dialog: z.string(), content: z.optional(z.string()) }),
  /** A tool that the host is to have called, by a chat request with this `tool_request`. */
  tool: openObject({
    type: z.literal('tool'),
    tool_request: openObject({ name: z.string(), args: z.record(z.string(), z.unknown()) }),
  }),
  /** Words for the model. With `handled_by` `cli` the program goes on by itself, else the host sends them. */
  submit_prompt: openObject({
    type: z.literal('submit_prompt'),
    parts: z.array(chatPartSchema),
    handled_by: z.optional(z.string()),
    /** What a person should know, e.g. that a file was cut. */
    warnings: z.optional(z.array(z.string())),
  }),
  /** The conversation was replaced; the host reloads its view. */
  load_history: openObject({
    type: z.literal('load_history'),
    history: z.array(openObject({ role: z.string(), content: z.unknown() })),
  }),
  /** The program ends behind this line. */
  quit: openObject({ type: z.literal('quit'), messages: z.array(z.unknown()) }),
  quit_confirmation: openObject({ type: z.literal('quit_confirmation'), prompt: z.string() }),
  /** Sent again with `approvedCommands` and `confirmationOutcome` the command runs. */
  confirm_shell_commands: openObject({
    type: z.literal('confirm_shell_commands'),
    commands_to_confirm: z.array(z.string()),
    original_invocation: invocation,
    /** Why nobody was asked by a control request. */
    message: z.optional(z.string()),
  }),
  /** Sent again with `confirmationOutcome` the command runs. */
  confirm_action: openObject({
    type: z.literal('confirm_action'),
    prompt: z.string(),
    original_invocation: invocation,
    message: z.optional(z.string()),
  }),
} as const;

type Results = typeof RESULTS;

/** What came of a command. Kinds of newer programs pass as they came. */
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

/** A file that a text speaks of: as it stands in the text, and the path that is meant. */
export const commandReferenceSchema = lazySchema(() => openObject({ original: z.string(), resolved: z.string() }));
export type CommandReference = z.infer<typeof commandReferenceSchema>;

/** An explicit command. `path` names a slash command and its subcommands; `at` has none. */
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

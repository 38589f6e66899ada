import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { openUnion } from '../open-union.js';
import { ansiItemSchema } from './ansi-item.js';
import { toolDisplaySchema } from './tool-display.js';

// What a terminal shows around the model's text, in `choices[].message.annotations` and `choices[].delta.annotations`.
// Readers skip unknown types.

/**
 * Names of a theme's colors and weights; the client maps them to its palette. Newer programs may send others.
 *
 * @example
 * import { THEME_TOKENS, type ThemeToken } from '@qwen/sdk/terminal';
 *
 * const palette: Partial<Record<ThemeToken, string>> = { AccentRed: '#d03050', AccentGreen: '#18a058' };
 * const missing = THEME_TOKENS.filter((token) => palette[token] === undefined);
 * console.log(`Shown in the default color: ${missing.join(', ')}`);
 */
export const THEME_TOKENS = [
  'Foreground',
  'Gray',
  'AccentBlue',
  'AccentPurple',
  'AccentCyan',
  'AccentGreen',
  'AccentYellow',
  'AccentRed',
  'DiffAdded',
  'DiffRemoved',
] as const;
export type ThemeToken = (typeof THEME_TOKENS)[number];

const spanStyleSchema = lazySchema(() =>
  openObject({ theme_token: z.optional(z.string()), bold: z.optional(z.boolean()) }),
);

/** UTF-16 offsets; the end is exclusive. */
const spanSchema = lazySchema(() =>
  openObject({ start_index: z.number(), end_index: z.number(), style: spanStyleSchema }),
);
export type Span = z.infer<typeof spanSchema>;

/**
 * The model, a tool, a library that printed, or this program.
 *
 * @example
 * import { TERMINAL_SOURCES } from '@qwen/sdk/terminal';
 *
 * const hidden = new Set<string>(TERMINAL_SOURCES.filter((source) => source !== 'assistant'));
 * console.log(hidden.has('console')); // true: a filter for everything but the model's text
 */
export const TERMINAL_SOURCES = ['assistant', 'tool', 'console', 'system'] as const;
export type TerminalSource = (typeof TERMINAL_SOURCES)[number];

/** For filters. */
export const LOG_SCOPES = ['system', 'tool', 'debug'] as const;
export type LogScope = (typeof LOG_SCOPES)[number];

/**
 * How text looks on a terminal. Spans and sequences refer to `text` if present, else to the `content` of the message
 * or delta. Replaying texts and sequences in line order reproduces the screen.
 */
const terminalAnnotationSchema = lazySchema(() =>
  openObject({
    type: z.literal('x-qwen-terminal'),
    channel: z.enum(['stdout', 'stderr']),
    source: z.string(),
    text: z.optional(z.string()),
    spans: z.optional(z.array(spanSchema)),
    ansi: z.array(ansiItemSchema),
    /** With source `console`: `log`, `info`, `warn`, `error` or `debug`. */
    console_level: nullish(z.string()),
    /** With source `system`, when the process ends. */
    exit_code: nullish(z.number()),
    prompt_id: nullish(z.string()),
    log_scope: nullish(z.string()),
  }),
);
export type TerminalAnnotation = z.infer<typeof terminalAnnotationSchema>;

/** A short thought of the model, not part of its answer. */
const thoughtAnnotationSchema = lazySchema(() =>
  openObject({ type: z.literal('x-qwen-thought'), subject: z.string(), description: z.string() }),
);
export type ThoughtAnnotation = z.infer<typeof thoughtAnnotationSchema>;

/**
 * The words of session events that we write.
 *
 * @example
 * import { type QwenEvent, SESSION_EVENTS } from '@qwen/sdk/terminal';
 *
 * function isKnown(event: QwenEvent): boolean {
 *   return event.kind === 'session_event' && SESSION_EVENTS.some((name) => name === event.event);
 * }
 * console.log(isKnown({ kind: 'session_event', event: 'ChatCompressed', message: 'Compressed.', metrics: {} }));
 */
export const SESSION_EVENTS = [
  'Finished',
  'ChatCompressed',
  'SessionTokenLimitExceeded',
  'MaxSessionTurns',
  'USER_CANCELLED',
  'MAX_TOKENS',
  'LoopDetected',
  'Retry',
  'Error',
] as const;
export type SessionEventName = (typeof SESSION_EVENTS)[number];

/**
 * An event of the session: a separate line if no message belongs to it (cancel, compression, limits), else an
 * annotation of the finishing line. A separate line names its session.
 */
export const sessionEventSchema = lazySchema(() =>
  openObject({
    type: z.literal('x-qwen-session-event'),
    event: z.string(),
    message: z.string(),
    /** Counts; compression reports `original_tokens` and `compressed_tokens`. */
    metrics: z.optional(z.record(z.string(), z.unknown())),
    session_id: z.optional(z.string()),
    prompt_id: nullish(z.string()),
    log_scope: nullish(z.string()),
  }),
);
export type SessionEvent = z.infer<typeof sessionEventSchema>;

/** A sequence without text, such as restoring terminal modes at exit. */
const ansiAnnotationSchema = lazySchema(() => openObject({ type: z.literal('x-qwen-ansi'), value: z.string() }));
export type AnsiAnnotation = z.infer<typeof ansiAnnotationSchema>;

/** The five kinds; newer programs may add others. */
export const annotationSchema = lazySchema(() =>
  openUnion(
    ['x-qwen-terminal', 'x-qwen-tool-display', 'x-qwen-thought', 'x-qwen-session-event', 'x-qwen-ansi'],
    [terminalAnnotationSchema, toolDisplaySchema, thoughtAnnotationSchema, sessionEventSchema, ansiAnnotationSchema],
  ),
);
export type Annotation = z.infer<typeof annotationSchema>;

import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { openUnion } from '../open-union.js';
import { ansiItemSchema } from './ansi-item.js';
import { toolDisplaySchema } from './tool-display.js';

// Annotations tell what a terminal would show around the words of the model (group D). They stand in
// `choices[].message.annotations` and `choices[].delta.annotations`; readers skip types that they do not know.

/**
 * Words for the colours and weights of a theme; a host maps them to its own palette. Other words may come from
 * newer programs.
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

/** How a stretch of text looks. */
const spanStyleSchema = lazySchema(() =>
  openObject({ theme_token: z.optional(z.string()), bold: z.optional(z.boolean()) }),
);

/** Positions count UTF-16 units, the end is not part of the span. */
const spanSchema = lazySchema(() =>
  openObject({ start_index: z.number(), end_index: z.number(), style: spanStyleSchema }),
);
export type Span = z.infer<typeof spanSchema>;

/** Who speaks: the model, a tool, something that printed by itself, or this program. */
export const TERMINAL_SOURCES = ['assistant', 'tool', 'console', 'system'] as const;
export type TerminalSource = (typeof TERMINAL_SOURCES)[number];

/** What somebody may filter by. */
export const LOG_SCOPES = ['system', 'tool', 'debug'] as const;
export type LogScope = (typeof LOG_SCOPES)[number];

/**
 * How text looks on a terminal. Spans and sequences refer to `text` where it is given, else to the
 * `content` of the message or delta that carries the annotation. Replaying texts and sequences in the order of the
 * lines gives the screen of the text mode.
 */
const terminalAnnotationSchema = lazySchema(() =>
  openObject({
    type: z.literal('x-qwen-terminal'),
    channel: z.enum(['stdout', 'stderr']),
    source: z.string(),
    /** Text that is not part of the model's answer, line ends included. */
    text: z.optional(z.string()),
    spans: z.optional(z.array(spanSchema)),
    /** Empty when there are no sequences. */
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

/** A thought of the model, in short; not part of its answer. */
const thoughtAnnotationSchema = lazySchema(() =>
  openObject({ type: z.literal('x-qwen-thought'), subject: z.string(), description: z.string() }),
);
export type ThoughtAnnotation = z.infer<typeof thoughtAnnotationSchema>;

/** The words of session events that we write. */
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
 * Something about the session as a whole. A line of its own where no message belongs to it (cancel, compression,
 * limits), an annotation on the finishing line else. As a line it names its session.
 */
export const sessionEventSchema = lazySchema(() =>
  openObject({
    type: z.literal('x-qwen-session-event'),
    event: z.string(),
    /** For people. */
    message: z.string(),
    /** Counts; compression tells `original_tokens` and `compressed_tokens`. */
    metrics: z.optional(z.record(z.string(), z.unknown())),
    session_id: z.optional(z.string()),
    prompt_id: nullish(z.string()),
    log_scope: nullish(z.string()),
  }),
);
export type SessionEvent = z.infer<typeof sessionEventSchema>;

/** A raw sequence that belongs to no text, such as the one that restores the terminal's modes at the end. */
const ansiAnnotationSchema = lazySchema(() => openObject({ type: z.literal('x-qwen-ansi'), value: z.string() }));
export type AnsiAnnotation = z.infer<typeof ansiAnnotationSchema>;

/** The five kinds, and whatever a newer program adds. */
export const annotationSchema = lazySchema(() =>
  openUnion(
    ['x-qwen-terminal', 'x-qwen-tool-display', 'x-qwen-thought', 'x-qwen-session-event', 'x-qwen-ansi'],
    [terminalAnnotationSchema, toolDisplaySchema, thoughtAnnotationSchema, sessionEventSchema, ansiAnnotationSchema],
  ),
);
export type Annotation = z.infer<typeof annotationSchema>;

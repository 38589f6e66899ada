import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { ansiItemSchema } from './ansi-item.js';

/**
 * The states of a call, in order; `confirming` only if approval is needed.
 *
 * @example
 * import { TOOL_STATUSES } from '@qwen/sdk/terminal';
 *
 * const finished = new Set<string>(TOOL_STATUSES.slice(TOOL_STATUSES.indexOf('success')));
 * console.log([...finished]); // ['success', 'error', 'canceled']
 */
export const TOOL_STATUSES = ['pending', 'confirming', 'executing', 'success', 'error', 'canceled'] as const;
export type ToolStatus = (typeof TOOL_STATUSES)[number];

const logScope = nullish(z.string());

/** Lines added and removed: by the agent, and by the user who edited the proposal. */
const diffStatSchema = lazySchema(() =>
  openObject({
    ai_added_lines: z.number(),
    ai_removed_lines: z.number(),
    user_added_lines: z.number(),
    user_removed_lines: z.number(),
  }),
);

const stringDisplay = lazySchema(() =>
  openObject({
    kind: z.literal('string'),
    text: z.string(),
    /** Appends to the previous text of this call instead of replacing it. */
    append: z.optional(z.boolean()),
    /** Colors of the text; other escape sequences are removed. */
    ansi: z.optional(z.array(ansiItemSchema)),
    log_scope: logScope,
  }),
);

const fileDiffDisplay = lazySchema(() =>
  openObject({
    kind: z.literal('file_diff'),
    file_name: z.string(),
    diff: z.string(),
    /** The file before and after; null if too large or missing. */
    original: nullish(z.string()),
    modified: nullish(z.string()),
    stat: z.optional(diffStatSchema),
    log_scope: logScope,
  }),
);

const todoListDisplay = lazySchema(() =>
  openObject({
    kind: z.literal('todo_list'),
    /** Status is `pending`, `in_progress` or `completed`. */
    todos: z.array(openObject({ id: z.string(), content: z.string(), status: z.string() })),
    log_scope: logScope,
  }),
);

const planDisplay = lazySchema(() =>
  openObject({
    kind: z.literal('plan_summary'),
    message: z.string(),
    plan_markdown: z.string(),
    log_scope: logScope,
  }),
);

/** State of a subagent; members keep the camelCase of their source. */
const taskDisplay = lazySchema(() =>
  openObject({
    kind: z.literal('task_execution'),
    subagentName: z.string(),
    taskDescription: z.optional(z.string()),
    taskPrompt: z.optional(z.string()),
    /** `running`, `completed`, `failed` or `cancelled`. */
    status: z.string(),
    toolCalls: z.array(openObject({ callId: z.string(), name: z.string(), status: z.string() })),
    result: z.optional(z.string()),
    terminateReason: z.optional(z.string()),
    /** While a call of the subagent awaits approval. */
    pendingConfirmation: nullish(confirmationSchema),
    log_scope: logScope,
  }),
);

const KINDS = ['string', 'file_diff', 'todo_list', 'plan_summary', 'task_execution'] as const;

/** The display of a call. Unknown kinds are accepted. */
const resultDisplaySchema = lazySchema(() =>
  z.union([
    z.discriminatedUnion('kind', [stringDisplay, fileDiffDisplay, todoListDisplay, planDisplay, taskDisplay]),
    z.looseObject({ kind: z.string().check(z.regex(new RegExp(`^(?!(?:${KINDS.join('|')})$)`), { abort: true })) }),
  ]),
);
export type ResultDisplay =
  | z.infer<typeof stringDisplay>
  | z.infer<typeof fileDiffDisplay>
  | z.infer<typeof todoListDisplay>
  | z.infer<typeof planDisplay>
  | z.infer<typeof taskDisplay>;

/** What the user must see before approving; each kind has its own members. */
const confirmationSchema = lazySchema(() =>
  openObject({
    type: z.string(),
    title: z.string(),
    file_name: z.optional(z.string()),
    file_path: z.optional(z.string()),
    file_diff: z.optional(z.string()),
    original_content: nullish(z.string()),
    new_content: nullish(z.string()),
    command: z.optional(z.string()),
    root_command: z.optional(z.string()),
    server_name: z.optional(z.string()),
    tool_name: z.optional(z.string()),
    tool_display_name: z.optional(z.string()),
    prompt: z.optional(z.string()),
    urls: z.optional(z.array(z.string())),
    plan: z.optional(z.string()),
  }),
);
export type Confirmation = z.infer<typeof confirmationSchema>;

/** State of one tool call, identified by `session_id` and `tool_call_id`. */
export const toolDisplaySchema = lazySchema(() =>
  openObject({
    type: z.literal('x-qwen-tool-display'),
    tool_call_id: z.string(),
    session_id: z.optional(z.string()),
    prompt_id: nullish(z.string()),
    tool_name: z.optional(z.string()),
    /** One of {@link TOOL_STATUSES}. */
    status: z.string(),
    result_display: nullish(resultDisplaySchema),
    /** While the call awaits approval, else null. */
    confirmation: nullish(confirmationSchema),
    /** True while the call is neither running nor awaiting approval. */
    pending: z.optional(z.boolean()),
    /** Unix time in milliseconds. */
    timestamp: z.optional(z.number()),
    /** The result for the model, in the chunk format without a tool message. */
    content: nullish(z.string()),
    parent_tool_call_id: nullish(z.string()),
    /** JSON text of the final arguments, on the first `executing`, for calls of a subagent and for changed input. */
    arguments: nullish(z.string()),
  }),
);
export type ToolDisplayAnnotation = z.infer<typeof toolDisplaySchema>;

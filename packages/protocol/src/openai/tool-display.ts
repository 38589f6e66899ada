import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { ansiItemSchema } from './ansi-item.js';

/** The states of a call, in the order in which it passes through them; `confirming` only where approval is needed. */
export const TOOL_STATUSES = ['pending', 'confirming', 'executing', 'success', 'error', 'canceled'] as const;
export type ToolStatus = (typeof TOOL_STATUSES)[number];

const logScope = nullish(z.string());

/** Lines that were added and removed: by the agent, and by the person who changed the proposal. */
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
    /** The text goes on from the last one of this call instead of replacing it. */
    append: z.optional(z.boolean()),
    /** The colours of the text; other escape sequences are left out of it. */
    ansi: z.optional(z.array(ansiItemSchema)),
    log_scope: logScope,
  }),
);

const fileDiffDisplay = lazySchema(() =>
  openObject({
    kind: z.literal('file_diff'),
    file_name: z.string(),
    /** A unified diff. */
    diff: z.string(),
    /** The whole file before and after; null where it is too large to tell, or was not there. */
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

/** What a subagent does; its members keep the camelCase of their source. */
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
    /** While one of its calls awaits approval. */
    pendingConfirmation: nullish(confirmationSchema),
    log_scope: logScope,
  }),
);

const KINDS = ['string', 'file_diff', 'todo_list', 'plan_summary', 'task_execution'] as const;

/** What a screen shows of a call. Kinds of newer programs pass as they came. */
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

/** What a person must see before saying yes; members that a kind does not have are missing. */
const confirmationSchema = lazySchema(() =>
  openObject({
    /** `edit`, `exec`, `mcp`, `info` or `plan`. */
    type: z.string(),
    /** The question, for people. */
    title: z.string(),
    // edit
    file_name: z.optional(z.string()),
    file_path: z.optional(z.string()),
    file_diff: z.optional(z.string()),
    original_content: nullish(z.string()),
    new_content: nullish(z.string()),
    // exec
    command: z.optional(z.string()),
    root_command: z.optional(z.string()),
    // mcp
    server_name: z.optional(z.string()),
    tool_name: z.optional(z.string()),
    tool_display_name: z.optional(z.string()),
    // info
    prompt: z.optional(z.string()),
    urls: z.optional(z.array(z.string())),
    // plan
    plan: z.optional(z.string()),
  }),
);
export type Confirmation = z.infer<typeof confirmationSchema>;

/** The state of one tool call. A call is told by `session_id` and `tool_call_id`. */
export const toolDisplaySchema = lazySchema(() =>
  openObject({
    type: z.literal('x-qwen-tool-display'),
    tool_call_id: z.string(),
    session_id: z.optional(z.string()),
    prompt_id: nullish(z.string()),
    tool_name: z.optional(z.string()),
    /** One of {@link TOOL_STATUSES}. */
    status: z.string(),
    /** Missing until there is something to show. */
    result_display: nullish(resultDisplaySchema),
    /** While the call awaits approval; null else. */
    confirmation: nullish(confirmationSchema),
    /** True while the call does not run yet and waits for nobody's approval. */
    pending: z.optional(z.boolean()),
    /** Milliseconds since 1970. */
    timestamp: z.optional(z.number()),
    /** What the model reads of the result, in the chunk format, where no message of the tool follows. */
    content: nullish(z.string()),
    /** The call of the task tool, when a subagent made this one. */
    parent_tool_call_id: nullish(z.string()),
    /**
     * JSON text of the arguments with which the call runs, on the first `executing`: of a call of a subagent, whose messages
     * are not told, and where a person or a hook changed what the model asked for.
     */
    arguments: nullish(z.string()),
  }),
);
export type ToolDisplayAnnotation = z.infer<typeof toolDisplaySchema>;

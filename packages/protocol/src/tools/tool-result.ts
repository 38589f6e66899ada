import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { openObject } from '../open-object.js';
import { TASK_STATUSES } from '../task-status.js';
import { usageSchema } from '../usage.js';
import { RESULT_SCHEMAS } from './result-schemas.js';
import { type BuiltinToolName, findBuiltinTool } from './tool-table.js';

/** Lines start with a blank, `+` or `-`. */
const hunks = () =>
  z.array(
    openObject({
      oldStart: z.int(),
      oldLines: z.int(),
      newStart: z.int(),
      newLines: z.int(),
      lines: z.array(z.string()),
    }),
  );

const question = () =>
  openObject({
    question: z.string(),
    header: z.optional(z.string()),
    options: z.array(
      openObject({ label: z.string(), description: z.optional(z.string()), preview: z.optional(z.string()) }),
    ),
    multiSelect: z.optional(z.boolean()),
  });

/** Names and forms are those of the Claude Agent SDK where both have the member. */
export const RESULT_DEFINITIONS = {
  read_file: lazySchema(() =>
    z.discriminatedUnion('type', [
      openObject({
        type: z.literal('text'),
        file: openObject({
          filePath: z.string(),
          /** The lines without numbers; of a PDF or a notebook, its text. */
          content: z.string(),
          numLines: z.int(),
          startLine: z.int(),
          /** Missing if more lines follow. */
          totalLines: z.optional(z.int()),
        }),
      }),
      /** Its data is in the `tool_result` block. */
      openObject({
        type: z.literal('image'),
        file: openObject({ filePath: z.string(), type: z.string(), originalSize: z.int() }),
      }),
    ]),
  ),
  read_many_files: lazySchema(() =>
    openObject({
      files: z.array(
        openObject({ filePath: z.string(), content: z.string(), numLines: z.int(), truncated: z.boolean() }),
      ),
      /** Why files were omitted. */
      notes: z.array(z.string()),
    }),
  ),
  write_file: lazySchema(() =>
    openObject({
      type: z.enum(['create', 'update']),
      filePath: z.string(),
      content: z.string(),
      /** Empty if the change is too large to compare, or the model may not read the file. */
      structuredPatch: hunks(),
      /** Null for a new or a large file, and if the model may not read it. */
      originalFile: z.nullable(z.string()),
      userModified: z.boolean(),
    }),
  ),
  edit: lazySchema(() =>
    openObject({
      filePath: z.string(),
      /** The old text of the first change; empty for a patch. */
      oldString: z.string(),
      newString: z.string(),
      replaceAll: z.boolean(),
      originalFile: z.nullable(z.string()),
      structuredPatch: hunks(),
      userModified: z.boolean(),
      otherFiles: z.optional(z.array(openObject({ filePath: z.string(), structuredPatch: hunks() }))),
    }),
  ),
  list_directory: lazySchema(() =>
    openObject({
      path: z.string(),
      entries: z.array(openObject({ name: z.string(), type: z.enum(['directory', 'file', 'link', 'other']) })),
      truncated: z.boolean(),
      numIgnored: z.int(),
    }),
  ),
  glob: lazySchema(() =>
    openObject({
      durationMs: z.number(),
      numFiles: z.int(),
      /** Absolute, newest first. */
      filenames: z.array(z.string()),
      truncated: z.boolean(),
      totalMatches: z.int(),
      /** Whether the search reached its end. */
      countIsComplete: z.boolean(),
    }),
  ),
  grep_search: lazySchema(() =>
    openObject({
      mode: z.enum(['content', 'files_with_matches']),
      numFiles: z.int(),
      filenames: z.array(z.string()),
      /** The lines that the model reads. */
      content: z.optional(z.string()),
      numLines: z.optional(z.int()),
      numMatches: z.optional(z.int()),
      truncated: z.boolean(),
    }),
  ),
  run_shell_command: lazySchema(() =>
    openObject({
      /** With what the command wrote to stderr, in the order of writing. */
      stdout: z.string(),
      /** Errors of the sandbox. */
      stderr: z.string(),
      /** Null if a signal ended the command. */
      exitCode: z.nullable(z.int()),
      signal: z.optional(z.string()),
      interrupted: z.boolean(),
      timedOut: z.boolean(),
      /** Whether the middle of `stdout` is omitted. */
      truncated: z.boolean(),
      /** The file with the long output. */
      persistedOutputPath: z.optional(z.string()),
      /** The command continues in the background under this id; `stdout` is its output so far. */
      backgroundTaskId: z.optional(z.string()),
    }),
  ),
  task_output: lazySchema(() =>
    openObject({
      /** The one of the call, or all. */
      tasks: z.array(
        openObject({
          task_id: z.string(),
          command: z.string(),
          status: z.enum(TASK_STATUSES),
          duration_ms: z.int(),
          output_file: z.optional(z.string()),
          /** How it ended. */
          note: z.optional(z.string()),
        }),
      ),
      /** New output of the one task. */
      output: z.optional(z.string()),
      /** Where the next read starts, in bytes. */
      cursor: z.optional(z.int()),
      /** Whether a line matched the pattern of the call. */
      matched: z.optional(z.boolean()),
    }),
  ),
  task_stop: lazySchema(() =>
    openObject({ message: z.string(), task_id: z.string(), task_type: z.string(), command: z.string() }),
  ),
  web_fetch: lazySchema(() =>
    openObject({
      /** URL of the last response, after redirects to the same host. */
      url: z.string(),
      code: z.int(),
      codeText: z.string(),
      contentType: z.string(),
      /** Size of the decoded body. */
      bytes: z.int(),
      /** What the model reads of the page, without the frame around it. */
      result: z.string(),
      /** Whether text follows after `result`. */
      truncated: z.boolean(),
      fromCache: z.boolean(),
      /** Another host, to which the response redirects; `result` is empty. */
      redirectUrl: z.optional(z.string()),
      durationMs: z.number(),
    }),
  ),
  web_search: lazySchema(() =>
    openObject({
      query: z.string(),
      results: z.array(
        openObject({
          title: z.string(),
          url: z.string(),
          /** An extract, without markup. */
          text: z.string(),
          /** As the provider states it, such as `2 days ago`. */
          age: z.optional(z.string()),
        }),
      ),
      durationMs: z.number(),
    }),
  ),
  todo_write: lazySchema(() =>
    openObject({
      newTodos: z.array(
        openObject({
          id: z.string(),
          content: z.string(),
          status: z.enum(['pending', 'in_progress', 'completed']),
        }),
      ),
    }),
  ),
  ask_user_question: lazySchema(() =>
    openObject({
      questions: z.array(question()),
      /** By question; several choices are joined by a comma. */
      answers: z.record(z.string(), z.string()),
      /** What the user said instead of answers. */
      response: z.optional(z.string()),
      /** By question. */
      annotations: z.optional(
        z.record(z.string(), openObject({ preview: z.optional(z.string()), notes: z.optional(z.string()) })),
      ),
    }),
  ),
  exit_plan_mode: lazySchema(() => openObject({ plan: z.string(), planWasEdited: z.boolean() })),
  task: lazySchema(() =>
    openObject({
      status: z.enum(['completed', 'failed', 'cancelled']),
      /** The id of the `task` call. */
      agentId: z.string(),
      agentType: z.string(),
      prompt: z.string(),
      /** The report; empty if there is none. */
      content: z.array(openObject({ type: z.literal('text'), text: z.string() })),
      /** Why there is no report. */
      reason: z.optional(z.string()),
      totalToolUseCount: z.int(),
      totalDurationMs: z.number(),
      totalTokens: z.number(),
      usage: usageSchema,
    }),
  ),
  skill: lazySchema(() =>
    openObject({
      success: z.boolean(),
      commandName: z.string(),
      /** Path of its `SKILL.md`. */
      path: z.string(),
      /** Whether the conversation contained the instructions already. */
      wasLoaded: z.boolean(),
    }),
  ),
} satisfies Readonly<Record<BuiltinToolName, z.ZodMiniType>>;

/** The structured result of a built-in tool. */
export type ToolResultOf<Name extends BuiltinToolName> = z.infer<(typeof RESULT_DEFINITIONS)[Name]>;

/**
 * JSON Schema of the structured result of each built-in tool, by the name of the tool.
 *
 * @example
 * import { TOOL_RESULT_SCHEMAS } from '@qwen/sdk';
 *
 * console.log(Object.keys(TOOL_RESULT_SCHEMAS.run_shell_command.properties));
 */
export const TOOL_RESULT_SCHEMAS: typeof RESULT_SCHEMAS = RESULT_SCHEMAS;

/**
 * The structured result of a call if it is one of this tool, under any of its names, and has the form of its schema;
 * otherwise undefined.
 *
 * @example
 * import { query, toolResultOf } from '@qwen/sdk';
 *
 * const names = new Map<string, string>();
 * for await (const message of query({ prompt: 'Run the tests.' })) {
 *   if (message.type !== 'assistant' && message.type !== 'user') continue;
 *   for (const block of message.message.content) {
 *     if (typeof block === 'string') continue;
 *     if (block.type === 'tool_use') names.set(block.id, block.name);
 *     if (block.type !== 'tool_result' || message.type !== 'user') continue;
 *     const call = { name: names.get(block.tool_use_id) ?? '', result: message.tool_use_result };
 *     console.log(toolResultOf('run_shell_command', call)?.exitCode);
 *   }
 * }
 */
export function toolResultOf<Name extends BuiltinToolName>(
  tool: Name,
  { name, result }: { readonly name: string; readonly result: unknown },
): ToolResultOf<Name> | undefined {
  if (findBuiltinTool(name) !== tool) return undefined;
  const schema: z.ZodMiniType = RESULT_DEFINITIONS[tool];
  return z.safeParse(schema, result).success ? (result as ToolResultOf<Name>) : undefined;
}

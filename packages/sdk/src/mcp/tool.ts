import { AgentError } from '@qwen/protocol';
import type { InputSchema, ToolArguments } from './input-schema.js';

/** Content block of a tool result, as in the Model Context Protocol. */
export type ToolContent =
  | { type: 'text'; text: string; [member: string]: unknown }
  | { type: 'image' | 'audio'; data: string; mimeType: string; [member: string]: unknown }
  | { type: 'resource_link'; uri: string; name: string; [member: string]: unknown }
  | {
      type: 'resource';
      resource: { uri: string; mimeType?: string | undefined; text: string } | { uri: string; blob: string };
      [member: string]: unknown;
    };

/** Result of a tool call. `isError` marks the content as an error for the model. */
export interface CallToolResult {
  content: ToolContent[];
  structuredContent?: Record<string, unknown> | undefined;
  isError?: boolean | undefined;
  [member: string]: unknown;
}

export interface ToolExtra {
  /** Aborts when the call is cancelled: by an interrupt, a timeout, or the end of the query. */
  readonly signal: AbortSignal;
  /** Reports progress, if the caller asked for it; otherwise it does nothing. */
  readonly reportProgress: (progress: ToolProgress) => Promise<void>;
}

/** `progress` must increase with each report; `total` is its final value, if known. */
export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Runs one call. The model receives a thrown error's message. Calls may overlap. A result after `signal` aborted is
 * dropped.
 */
export type ToolHandler<Arguments> = (args: Arguments, extra: ToolExtra) => CallToolResult | Promise<CallToolResult>;

/** What a tool says about itself, as in the Model Context Protocol. These are hints: they permit nothing. */
export interface ToolAnnotations {
  /** Shown to the user instead of the name, for example in permission questions. */
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  /** Whether a change may be lost, if the tool is not read-only. */
  readonly destructiveHint?: boolean | undefined;
  /** Whether a repeated call with the same arguments has no further effect. */
  readonly idempotentHint?: boolean | undefined;
  /** Whether the tool reaches outside of its server, such as the web. */
  readonly openWorldHint?: boolean | undefined;
}

/** The last argument of {@link tool}. */
export interface ToolExtras {
  readonly annotations?: ToolAnnotations | undefined;
  /** Has no effect: all tools are offered to the model directly. */
  readonly searchHint?: string | undefined;
  /** Has no effect. */
  readonly alwaysLoad?: boolean | undefined;
}

/** A tool of an in-process server. `tool()` creates one. */
export interface SdkMcpToolDefinition<Schema extends InputSchema = InputSchema> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly handler: ToolHandler<ToolArguments<Schema>>;
  readonly annotations?: ToolAnnotations | undefined;
}

/** A tool of any input type. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list holds tools of different inputs; each validates its own.
export type AnySdkMcpTool = Omit<SdkMcpToolDefinition, 'handler'> & { readonly handler: ToolHandler<any> };

/** As in the Model Context Protocol. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Declares a tool for `createSdkMcpServer`. `inputSchema` is a shape of zod 3 or zod 4 schemas, an object schema of
 * either (classic or mini), or JSON Schema. Input is validated before the handler runs, and `args` has its type.
 * `annotations` describe the tool to users and clients; permissions ignore them.
 *
 * @example
 * import { tool } from '@qwen/sdk';
 * import * as z from 'zod';
 *
 * const add = tool('add', 'Adds two numbers.', { a: z.number(), b: z.number() }, ({ a, b }) => ({
 *   content: [{ type: 'text', text: String(a + b) }],
 * }));
 *
 * @throws {AgentError} `invalid_options` unless the name is 1 to 128 letters, digits, `_`, `-` and `.`, or if an
 * annotation is unknown.
 */
// oxlint-disable-next-line max-params -- users of similar SDKs know these positions.
export function tool<const Schema extends InputSchema>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: ToolHandler<ToolArguments<Schema>>,
  extras: ToolExtras = {},
): SdkMcpToolDefinition<Schema> {
  if (!TOOL_NAME.test(name)) {
    throw new AgentError(
      'invalid_options',
      `Invalid tool name ${JSON.stringify(name)}. Use 1 to 128 letters, digits, underscores, hyphens or dots.`,
      { data: { name } },
    );
  }
  const { annotations } = extras;
  const fault = typeof handler === 'function' ? faultOf(extras) : 'the handler, the fourth argument, is not a function';
  if (fault !== undefined) throw new AgentError('invalid_options', `tool ${name}: ${fault}`, { data: { name } });
  return { name, description, inputSchema, handler, ...(annotations !== undefined && { annotations }) };
}

const EXTRAS = ['annotations', 'searchHint', 'alwaysLoad'];
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/** A misspelled hint would be lost silently. */
function faultOf(extras: ToolExtras): string | undefined {
  const unknown = Object.keys(extras).find((member) => !EXTRAS.includes(member));
  if (unknown !== undefined) return `${unknown} does not exist; the last argument may have ${EXTRAS.join(', ')}`;
  for (const [member, value] of Object.entries(extras.annotations ?? {})) {
    if (member !== 'title' && !HINTS.includes(member)) {
      return `annotations.${member} does not exist; use title, ${HINTS.join(', ')}`;
    }
    const type = member === 'title' ? 'string' : 'boolean';
    if (value !== undefined && typeof value !== type) return `annotations.${member}: expected ${type}`;
  }
  return undefined;
}

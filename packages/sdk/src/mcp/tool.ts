import { AgentError } from '@qwen/protocol';
import type { InputSchema, ToolArguments } from './input-schema.js';

/** One piece of what a tool answers; see the Model Context Protocol for the kinds. */
export type ToolContent =
  | { type: 'text'; text: string; [member: string]: unknown }
  | { type: 'image' | 'audio'; data: string; mimeType: string; [member: string]: unknown }
  | { type: 'resource_link'; uri: string; name: string; [member: string]: unknown }
  | {
      type: 'resource';
      resource: { uri: string; mimeType?: string | undefined; text: string } | { uri: string; blob: string };
      [member: string]: unknown;
    };

/** What a tool answers. `isError` tells the model to read the content as a failure. */
export interface CallToolResult {
  content: ToolContent[];
  structuredContent?: Record<string, unknown> | undefined;
  isError?: boolean | undefined;
  [member: string]: unknown;
}

/** What a tool gets beside its input. */
export interface ToolExtra {
  /** Aborts when the call is withdrawn: interrupt, deadline, or the end of the query. */
  readonly signal: AbortSignal;
  /** Says how far a long call is, when the caller asked for it; does nothing otherwise. */
  readonly reportProgress: (progress: ToolProgress) => Promise<void>;
}

/** `progress` must grow from call to call; `total` is the value at the end, if it is known. */
export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Runs one call. It may throw: the model then reads the message as a failure. Calls overlap when the model asks for
 * several at once. After `signal` aborts its answer is dropped.
 */
export type ToolHandler<Arguments> = (args: Arguments, extra: ToolExtra) => CallToolResult | Promise<CallToolResult>;

/** A tool of an in-process server; `tool()` makes one. */
export interface SdkMcpToolDefinition<Schema extends InputSchema = InputSchema> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly handler: ToolHandler<ToolArguments<Schema>>;
}

/** A tool whose input type nobody outside needs to know. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list of tools holds tools of different inputs; each checks its own.
export type AnySdkMcpTool = Omit<SdkMcpToolDefinition, 'handler'> & { readonly handler: ToolHandler<any> };

const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/**
 * Declares a tool for `createSdkMcpServer`. `inputSchema` is a shape of zod 3 or zod 4 schemas, an object schema of
 * either (classic or mini), or a plain JSON Schema; `args` has the type that it describes, and is checked before the
 * handler runs. Throws `invalid_options` for a name that is not 1–64 letters, digits and underscores, letter first.
 */
// oxlint-disable-next-line max-params -- the four positions are what users of the peer packages write.
export function tool<const Schema extends InputSchema>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: ToolHandler<ToolArguments<Schema>>,
): SdkMcpToolDefinition<Schema> {
  if (!TOOL_NAME.test(name)) {
    throw new AgentError(
      'invalid_options',
      `Tool name ${JSON.stringify(name)}: expected 1–64 letters, digits or underscores, starting with a letter.`,
      { data: { name } },
    );
  }
  return { name, description, inputSchema, handler };
}

import type { Confinement, PreviewContext, Tool, ToolContext, ToolPath, ToolPreview, ToolResult } from '@qwen/agent';
import {
  AgentError,
  type CanonicalInput,
  canonicalInput,
  isJsonObject,
  type PermissionMode,
  type PrintedToolName,
  TOOL_INPUT_SCHEMAS,
  TOOL_TABLE,
  type ToolResultOf,
  toolAliases,
} from '@qwen/protocol';
import * as z from 'zod/mini';
import { refuseContrary } from './contrary-members.js';

export interface StructuredToolResult<Name extends PrintedToolName> extends ToolResult {
  readonly structured?: ToolResultOf<Name>;
}

export interface ToolDefinition<
  Name extends PrintedToolName,
  Schema extends z.ZodMiniType,
  Other extends z.ZodMiniType = never,
> {
  readonly name: Name;
  /** Sent with every request, so keep it short. */
  readonly description: string;
  readonly input: Schema;
  /** Members added to the printed schema. */
  readonly moreProperties?: Readonly<Record<string, unknown>>;
  /** The schema of an input in a form that is understood but not offered. */
  readonly otherInput?: (input: Readonly<Record<string, unknown>>) => Other | undefined;
  /** Whether each call asks the user. Default false. */
  readonly isQuestion?: boolean;
  readonly onlyIn?: PermissionMode;
  /** Changes an input in a form that the schema does not describe. */
  readonly adapt?: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly paths?: (input: z.output<Schema | Other>, cwd: string) => readonly ToolPath[];
  readonly command?: (input: z.output<Schema | Other>) => string;
  readonly host?: (input: z.output<Schema | Other>) => string;
  readonly confinement?: (input: z.output<Schema | Other>) => Confinement | undefined;
  readonly preview?: (input: z.output<Schema | Other>, context: PreviewContext) => Promise<ToolPreview | undefined>;
  readonly execute: (input: z.output<Schema | Other>, context: ToolContext) => Promise<StructuredToolResult<Name>>;
}

/** The model gets the printed schema, so that none is built at run time. */
export function defineTool<
  Name extends PrintedToolName,
  Schema extends z.ZodMiniType,
  Other extends z.ZodMiniType = never,
>(definition: ToolDefinition<Name, Schema, Other>): Tool<z.output<Schema | Other>> {
  const { name, input: schema, adapt, moreProperties } = definition;
  const { kind } = TOOL_TABLE[name];
  const printed = TOOL_INPUT_SCHEMAS[name];
  const inputSchema =
    moreProperties === undefined ? printed : { ...printed, properties: { ...printed.properties, ...moreProperties } };
  const canonical = (input: unknown): CanonicalInput => {
    const read = canonicalInput(inputSchema, input, { hasAliases: true });
    return adapt !== undefined && isJsonObject(read.input) ? { ...read, input: adapt(read.input) } : read;
  };
  return {
    name,
    aliases: toolAliases(name),
    kind,
    description: definition.description,
    inputSchema,
    canonical,
    parse(input) {
      const own = canonical(input).input;
      const other = isJsonObject(own) ? definition.otherInput?.(own) : undefined;
      if (isJsonObject(own)) refuseContrary(own, { tool: name, kind, known: inputSchema.properties });
      return parseInput({ name, schema: other ?? schema, input: own });
    },
    paths: (input, cwd) => definition.paths?.(input, cwd) ?? [],
    ...(definition.isQuestion === true && { isQuestion: true }),
    ...(definition.onlyIn !== undefined && { onlyIn: definition.onlyIn }),
    ...(definition.command && { command: definition.command }),
    ...(definition.host && { host: definition.host }),
    ...(definition.confinement && { confinement: definition.confinement }),
    ...(definition.preview && { preview: definition.preview }),
    execute: definition.execute,
  };
}

function parseInput<Schema extends z.ZodMiniType>(options: {
  name: string;
  schema: Schema;
  input: unknown;
}): z.output<Schema> {
  const parsed = z.safeParse(options.schema, options.input, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const member = issue === undefined || issue.path.length === 0 ? 'the input' : `"${issue.path.join('.')}"`;
  throw new AgentError('invalid_tool_input', `${options.name}: ${member} ${describe(issue)}`, {
    data: { member: issue?.path.join('.') ?? '' },
  });
}

/** zod/mini has no message catalogue. */
function describe(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return issue.input === undefined ? `is required (${issue.expected})` : `must be of type ${issue.expected}`;
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty';
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    default:
      return `is invalid: ${issue?.message ?? 'unknown reason'}`;
  }
}

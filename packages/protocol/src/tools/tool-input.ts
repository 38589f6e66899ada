import { INPUT_SCHEMAS, type PrintedToolName } from './input-schemas.js';
import { findBuiltinTool } from './tool-table.js';

/**
 * JSON Schema of the input of each built-in tool that has a fixed one, by the name of the tool.
 *
 * @example
 * import { TOOL_INPUT_SCHEMAS } from '@qwen/sdk';
 *
 * for (const [name, { properties }] of Object.entries(TOOL_INPUT_SCHEMAS)) console.log(name, Object.keys(properties));
 */
export const TOOL_INPUT_SCHEMAS: typeof INPUT_SCHEMAS = INPUT_SCHEMAS;

/** A built-in tool whose input has a type. */
export type TypedToolName = PrintedToolName;

/** The input of a built-in tool. */
export type ToolInputOf<Name extends TypedToolName> = FromSchema<(typeof INPUT_SCHEMAS)[Name]>;

type FromSchema<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { properties: infer Members }
    ? FromMembers<Members, Schema extends { required: readonly (infer Name)[] } ? Name : never>
    : Schema extends { items: infer Item }
      ? FromSchema<Item>[]
      : Schema extends { type: keyof Primitives }
        ? Primitives[Schema['type']]
        : unknown;

interface Primitives {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
}

type FromMembers<Members, Required> = Flat<
  { -readonly [Name in keyof Members as Name extends Required ? Name : never]: FromSchema<Members[Name]> } & {
    -readonly [Name in keyof Members as Name extends Required ? never : Name]?: FromSchema<Members[Name]> | undefined;
  }
>;

type Flat<T> = { [Name in keyof T]: T[Name] };

/**
 * The input of a call if it is one of this tool, under any of its names, and has the form of its schema; otherwise
 * undefined. Limits of numbers and lengths are not checked.
 *
 * @example
 * import { query, toolInputOf } from '@qwen/sdk';
 *
 * for await (const message of query({ prompt: 'Clean up.' })) {
 *   if (message.type !== 'assistant') continue;
 *   for (const block of message.message.content) {
 *     if (block.type === 'tool_use') console.log(toolInputOf('run_shell_command', block)?.command);
 *   }
 * }
 */
export function toolInputOf<Name extends TypedToolName>(
  tool: Name,
  { name, input }: { readonly name: string; readonly input: unknown },
): ToolInputOf<Name> | undefined {
  if (findBuiltinTool(name) !== tool || !matches(INPUT_SCHEMAS[tool], input)) return undefined;
  return input as ToolInputOf<Name>;
}

interface InputSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly required?: readonly string[];
  readonly items?: InputSchema;
}

function matches(
  { type, enum: choices, properties = {}, required = [], items = {} }: InputSchema,
  value: unknown,
): boolean {
  if (choices !== undefined) return choices.includes(value);
  switch (type) {
    case undefined:
      return true;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value) && value.every((item) => matches(items, item));
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      const given = new Map<string, unknown>(Object.entries(value).filter(([, member]) => member !== undefined));
      const isComplete = required.every((name) => given.has(name));
      return isComplete && [...given].every(([name, member]) => matches(properties[name] ?? {}, member));
    }
    default:
      return typeof value === type;
  }
}

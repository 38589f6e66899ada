interface Zod4Schema {
  readonly _zod: { readonly output: unknown; readonly def: { readonly type: string } };
}

interface Zod3Schema {
  readonly _output: unknown;
  readonly _def: object;
}

type ZodSchema = Zod4Schema | Zod3Schema;

/** Parameters by name, each a zod schema: `{ path: z.string() }`. */
export type RawShape = Readonly<Record<string, ZodSchema>>;

/** A whole object schema: `z.object({ path: z.string() })`. */
export type ObjectSchema = ZodSchema;

/** JSON Schema of an object. The handler receives a record. */
export type JsonSchema = {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
};

/** Schema of a tool's input. */
export type InputSchema = RawShape | ObjectSchema | JsonSchema;

type Output<Schema> = Schema extends { readonly _zod: { readonly output: infer Value } }
  ? Value
  : Schema extends { readonly _output: infer Value }
    ? Value
    : never;

type OptionalKeys<Shape> = {
  [Name in keyof Shape]: undefined extends Output<Shape[Name]> ? Name : never;
}[keyof Shape];

type ShapeOutput<Shape> = { -readonly [Name in Exclude<keyof Shape, OptionalKeys<Shape>>]: Output<Shape[Name]> } & {
  -readonly [Name in OptionalKeys<Shape>]?: Output<Shape[Name]>;
};

/** Flattens an intersection for editors. */
type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** The arguments of a tool with this input schema. */
export type ToolArguments<Schema> = Schema extends ZodSchema
  ? Output<Schema>
  : Schema extends RawShape
    ? Flat<ShapeOutput<Schema>>
    : Record<string, unknown>;

/** Schema of an answer, an object. */
export type OutputSchema = ObjectSchema | JsonSchema;

/** The type of a valid answer: inferred from zod, unknown for JSON Schema. */
export type OutputOf<Schema extends OutputSchema> = Schema extends ZodSchema ? Output<Schema> : unknown;

export function isZodSchema(value: unknown): value is ObjectSchema {
  return typeof value === 'object' && value !== null && ('_zod' in value || '_def' in value);
}

export function isRawShape(value: InputSchema): value is RawShape {
  return !isZodSchema(value) && Object.values(value).every(isZodSchema);
}

/** Members of a zod definition, of 3 or 4, that contain the schemas whose input is its input. */
interface ZodDefinition {
  readonly type?: unknown;
  readonly typeName?: unknown;
  readonly in?: ObjectSchema;
  readonly out?: ObjectSchema;
  readonly schema?: ObjectSchema;
  readonly innerType?: ObjectSchema;
  readonly options?: readonly ObjectSchema[];
  readonly left?: ObjectSchema;
  readonly right?: ObjectSchema;
}

const OBJECTS = new Set<unknown>(['object', 'record', 'ZodObject', 'ZodRecord']);
const EMPTY = new Set<unknown>(['optional', 'nullable', 'ZodOptional', 'ZodNullable']);

/** An answer is an object, because models produce it as the input of a tool. */
export function describesObject(value: unknown): value is OutputSchema {
  if (typeof value !== 'object' || value === null) return false;
  if (!isZodSchema(value)) return 'type' in value && value.type === 'object';
  const definition = definitionOf(value);
  const kind = definition.type ?? definition.typeName;
  if (OBJECTS.has(kind)) return true;
  if (EMPTY.has(kind)) return false;
  const parts = partsOf(definition);
  return parts.length > 0 && parts.every(describesObject);
}

function definitionOf(schema: ObjectSchema): ZodDefinition {
  return '_zod' in schema ? schema._zod.def : schema._def;
}

function partsOf(definition: ZodDefinition): readonly ObjectSchema[] {
  const { in: input, out, schema, innerType, options, left, right } = definition;
  // `z.preprocess()` accepts anything; its output has the schema.
  const piped = input !== undefined && definitionOf(input).type === 'transform' ? out : input;
  return options ?? [piped, schema, innerType, left, right].filter((part) => part !== undefined);
}

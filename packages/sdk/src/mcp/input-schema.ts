/** Any schema of zod 4, classic or mini. */
interface Zod4Schema {
  readonly _zod: { readonly output: unknown; readonly def: { readonly type: string } };
}

/** Any schema of zod 3. */
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

/** An answer is an object, because models produce it as the input of a tool. */
export function describesObject(value: unknown): value is OutputSchema {
  if (typeof value !== 'object' || value === null) return false;
  if (isZodSchema(value)) return '_zod' in value ? value._zod.def.type === 'object' : 'shape' in value;
  return 'type' in value && value.type === 'object';
}

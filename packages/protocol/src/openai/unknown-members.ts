// Named imports: the namespace would load the whole library.
import { $ZodArray, $ZodLazy, $ZodNullable, $ZodObject, $ZodOptional, type $ZodType } from 'zod/v4/core';
import { isJsonObject } from '../json-object.js';
import { chatRequestSchema, messagesRequestSchema } from './chat-request.js';
import { TYPED_REQUEST_SCHEMAS } from './typed-requests.js';

const TYPED: Readonly<Record<string, $ZodType>> = TYPED_REQUEST_SCHEMAS;

/** Unknown members of a client's line, with their paths. Empty for other lines and for text that is not an object. */
export function unknownMembers(text: string): readonly string[] {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isJsonObject(line)) return [];
  const { type } = line;
  if (typeof type === 'string') {
    return Object.hasOwn(TYPED, type) ? unknownIn(line, TYPED[type], 'line') : [];
  }
  return unknownIn(line, 'input' in line ? chatRequestSchema : messagesRequestSchema, 'request');
}

function unknownIn(value: unknown, schema: $ZodType | undefined, place: string): readonly string[] {
  const { shape, items } = partsOf(schema);
  if (Array.isArray(value) && items !== undefined) {
    return value.flatMap((item, index) => unknownIn(item, items, `${place}.${index}`));
  }
  if (!isJsonObject(value) || shape === undefined) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(shape, name) ? unknownIn(member, shape[name], `${place}.${name}`) : [`${place}.${name}`],
  );
}

interface SchemaParts {
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly items?: $ZodType;
}

/** Alternatives are not inspected: the reader decides which one applies. */
function partsOf(schema: $ZodType | undefined): SchemaParts {
  if (schema instanceof $ZodLazy) return partsOf(schema._zod.innerType);
  if (schema instanceof $ZodOptional || schema instanceof $ZodNullable) {
    return partsOf(schema._zod.def.innerType);
  }
  if (schema instanceof $ZodArray) return { items: schema._zod.def.element };
  return schema instanceof $ZodObject ? { shape: schema._zod.def.shape } : {};
}

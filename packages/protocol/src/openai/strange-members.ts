// By their names: the namespace would bring all of the library into every process.
import { $ZodArray, $ZodLazy, $ZodNullable, $ZodObject, $ZodOptional, type $ZodType } from 'zod/v4/core';
import { isJsonObject } from '../json-object.js';
import { chatRequestSchema, messagesRequestSchema } from './chat-request.js';
import { TYPED_REQUEST_SCHEMAS } from './typed-requests.js';

const TYPED: Readonly<Record<string, $ZodType>> = TYPED_REQUEST_SCHEMAS;

/**
 * The members of a host's line that nobody here knows, each with its place, for hosts that want to be told (they change
 * nothing otherwise). Empty for lines of other kinds and for text that is no object.
 */
export function strangeMembers(text: string): readonly string[] {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isJsonObject(line)) return [];
  const { type } = line;
  if (typeof type === 'string') {
    return Object.hasOwn(TYPED, type) ? strangeIn(line, TYPED[type], 'line') : [];
  }
  return strangeIn(line, 'input' in line ? chatRequestSchema : messagesRequestSchema, 'request');
}

function strangeIn(value: unknown, schema: $ZodType | undefined, place: string): readonly string[] {
  const { shape, items } = partsOf(schema);
  if (Array.isArray(value) && items !== undefined) {
    return value.flatMap((item, index) => strangeIn(item, items, `${place}.${index}`));
  }
  if (!isJsonObject(value) || shape === undefined) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(shape, name) ? strangeIn(member, shape[name], `${place}.${name}`) : [`${place}.${name}`],
  );
}

interface SchemaParts {
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly items?: $ZodType;
}

/** Alternatives are not looked into: which one is meant is for the reader to say. */
function partsOf(schema: $ZodType | undefined): SchemaParts {
  if (schema instanceof $ZodLazy) return partsOf(schema._zod.innerType);
  if (schema instanceof $ZodOptional || schema instanceof $ZodNullable) {
    return partsOf(schema._zod.def.innerType);
  }
  if (schema instanceof $ZodArray) return { items: schema._zod.def.element };
  return schema instanceof $ZodObject ? { shape: schema._zod.def.shape } : {};
}

import { isJsonObject, settingsSchema } from '@qwen/protocol';
import type * as z from 'zod/mini';

export interface UnknownSetting {
  readonly path: readonly (string | number)[];
  readonly known: readonly string[];
}

/** Members no schema names, outermost first. Pure. */
export function findUnknownSettings(settings: unknown): readonly UnknownSetting[] {
  return walk(settingsSchema, settings, []);
}

function walk(schema: z.core.$ZodType, value: unknown, path: UnknownSetting['path']): readonly UnknownSetting[] {
  const { _zod } = schema as z.core.$ZodTypes;
  const { def } = _zod;
  switch (def.type) {
    case 'lazy':
      return walk(def.getter(), value, path);
    case 'optional':
      return walk(def.innerType, value, path);
    case 'array':
      return Array.isArray(value) ? value.flatMap((item, index) => walk(def.element, item, [...path, index])) : [];
    case 'record':
      return membersOf(value).flatMap(([name, member]) => walk(def.valueType, member, [...path, name]));
    case 'object':
      return membersOf(value).flatMap(([name, member]) => {
        const known = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
        if (known !== undefined) return walk(known, member, [...path, name]);
        return [{ path: [...path, name], known: Object.keys(def.shape) }];
      });
    default:
      return [];
  }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

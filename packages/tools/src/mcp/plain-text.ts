import { removeHidden } from '@qwen/protocol';
import { cutLine } from '../truncate.js';

/**
 * Words of a server that reach the model unasked, such as descriptions: without characters that people cannot see
 * (S92) and not longer than `maxLength` UTF-16 units.
 */
export function toPlainText(text: string, maxLength: number): string {
  return cutLine(removeHidden(text.slice(0, maxLength * 4)), maxLength);
}

/** A schema whose titles and descriptions are plain text; everything that has a meaning to a program stays as it is. */
export function withPlainDescriptions(
  schema: Readonly<Record<string, unknown>>,
  maxLength: number,
): Readonly<Record<string, unknown>> {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    return isObject(value) ? withPlainDescriptions(value, maxLength) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const isText = typeof value === 'string' && (key === 'description' || key === 'title');
      return [key, isText ? toPlainText(value, maxLength) : clean(value)];
    }),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

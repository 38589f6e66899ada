import { removeHidden } from '@qwen/protocol';
import { cutLine } from '../truncate.js';

/** Cleans text that a server puts before the model: no hidden characters, up to `maxLength` UTF-16 units. */
export function toPlainText(text: string, maxLength: number): string {
  return cutLine(removeHidden(text.slice(0, maxLength * 4)), maxLength);
}

/** Cleans titles and descriptions; the rest of the schema stays unchanged. */
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

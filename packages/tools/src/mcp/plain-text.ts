import { cutLine } from '../truncate.js';

// Invisible: controls but tab and line feed, soft hyphen, zero width, direction marks, variation selectors, tag letters.
const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- hidden characters are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\u{1d173}-\u{1d17a}]/gu;

/**
 * Words of a server that reach the model unasked, such as descriptions: without characters that people cannot see
 * (S92) and not longer than `maxLength` UTF-16 units.
 */
export function toPlainText(text: string, maxLength: number): string {
  const visible = text.slice(0, maxLength * 4).replaceAll(HIDDEN, '');
  return cutLine(visible, maxLength);
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

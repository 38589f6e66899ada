import { isJsonObject, removeHidden } from '@qwen/protocol';
import { cutLine } from '../truncate.js';

/** Cleans text that a server puts before the model: no hidden characters, up to `maxLength` UTF-16 units. */
export function toPlainText(text: string, maxLength: number): string {
  return cutLine(removeHidden(text.slice(0, maxLength * 4)), maxLength);
}

/** For readers only; calls do not contain them. */
const TEXTS = new Set(['title', 'description', 'markdownDescription', '$comment', 'examples', 'enumDescriptions']);
/** Tags and variation selectors, which can spell invisible instructions. */
const SPELLING = /[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/gu;

/** Cleans texts for readers. Names and values, which calls repeat, only lose characters that could spell a text. */
export function withPlainDescriptions(
  schema: Readonly<Record<string, unknown>>,
  maxLength: number,
): Readonly<Record<string, unknown>> {
  const clean = (value: unknown, isText: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, isText));
    if (typeof value === 'string') return isText ? toPlainText(value, maxLength) : value.replace(SPELLING, '');
    return isJsonObject(value) ? withPlainDescriptions(value, maxLength) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key.replace(SPELLING, ''), clean(value, TEXTS.has(key))]),
  );
}

import type { FormField, FormValue, NumberRules, TextRules } from './form-fields.js';

export type FieldReading =
  | { readonly kind: 'value'; readonly value: FormValue }
  | { readonly kind: 'empty' }
  | { readonly kind: 'problem'; readonly message: string };

const FORMATS: ReadonlyMap<string, { readonly isGood: (text: string) => boolean; readonly message: string }> = new Map([
  ['email', { isGood: (text) => /^[^\s@]+@[^\s@]+$/.test(text), message: 'Enter an e-mail address.' }],
  ['uri', { isGood: (text) => URL.canParse(text), message: 'Enter a URL such as https://example.org.' }],
  [
    'date',
    {
      isGood: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text),
      message: 'Enter a date such as 2026-01-31.',
    },
  ],
  [
    'date-time',
    {
      isGood: (text) => /^\d{4}-\d\d-\d\dT/.test(text) && isTime(text),
      message: 'Enter a time such as 2026-01-31T12:00:00Z.',
    },
  ],
]);

export function readField(field: Extract<FormField, { kind: 'text' | 'number' }>, typed: string): FieldReading {
  const text = typed.trim();
  if (text === '') return field.isRequired ? problem('This field is required.') : { kind: 'empty' };
  return field.kind === 'text' ? readText(text, field.rules) : readNumber(text, field.rules);
}

function readText(text: string, { minLength = 0, maxLength = Infinity, format = '' }: TextRules): FieldReading {
  if (text.length < minLength) return problem(`Enter at least ${minLength} characters.`);
  if (text.length > maxLength) return problem(`Enter at most ${maxLength} characters.`);
  const rule = FORMATS.get(format);
  return rule === undefined || rule.isGood(text) ? { kind: 'value', value: text } : problem(rule.message);
}

function readNumber(text: string, { isWhole, minimum = -Infinity, maximum = Infinity }: NumberRules): FieldReading {
  const value = Number(text);
  if (!Number.isFinite(value)) return problem('Enter a number.');
  if (isWhole && !Number.isInteger(value)) return problem('Enter a whole number.');
  if (value < minimum) return problem(`The minimum is ${minimum}.`);
  return value > maximum ? problem(`The maximum is ${maximum}.`) : { kind: 'value', value };
}

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

function problem(message: string): FieldReading {
  return { kind: 'problem', message };
}

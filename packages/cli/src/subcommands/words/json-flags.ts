import type { WordFlags } from './command-spec.js';
import type { ReadWords } from './read-words.js';

export const JSON_FLAGS = {
  json: { type: 'boolean', meaning: 'Print one JSON document.' },
  'output-format': {
    type: 'string',
    short: 'o',
    choices: ['text', 'json'],
    isAlias: true,
    meaning: 'Output format. Default: text.',
  },
} as const satisfies WordFlags;

export function wantsJson(flags: ReadWords<typeof JSON_FLAGS>['flags']): boolean {
  return flags.json === true || flags['output-format'] === 'json';
}

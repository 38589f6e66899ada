import type { CommandSpec } from '../words/command-spec.js';

export const TRUST = {
  meaning:
    'Trust the current settings and agents of this project. PATH is a folder in the project. Default: the current one.',
  own: {
    words: '[PATH]',
    completes: ['folder'],
    meaning: 'Trust the project.',
    flags: {
      revoke: { type: 'boolean', meaning: 'Revoke trust.' },
      list: { type: 'boolean', meaning: 'Print the trusted folders.' },
    },
  },
  verbs: {},
} as const satisfies CommandSpec;

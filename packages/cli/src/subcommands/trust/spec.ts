import type { CommandSpec } from '../words/command-spec.js';

/** `qwen trust` for help and completion. */
export const TRUST = {
  meaning:
    'Lets the settings and agents of a project count, as they are now. PATH is a folder in it. Default: this one.',
  own: {
    words: '[PATH]',
    completes: ['folder'],
    meaning: 'Trust the project.',
    flags: {
      revoke: { type: 'boolean', meaning: 'Take that back.' },
      list: { type: 'boolean', meaning: 'Print the trusted folders.' },
    },
  },
  verbs: {},
} as const satisfies CommandSpec;

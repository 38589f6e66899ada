import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

/** `qwen doctor` for help, completion and parsing. */
export const DOCTOR = {
  meaning: 'Looks for what is wrong with this set-up and says what to do. Exit code 1 when something would fail.',
  own: {
    meaning: 'Look.',
    flags: {
      online: { type: 'boolean', meaning: 'Ask the model provider and the MCP servers too.' },
      ...JSON_FLAGS,
    },
  },
  verbs: {},
} as const satisfies CommandSpec;

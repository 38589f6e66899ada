import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

export const DOCTOR = {
  meaning: 'Check the installation and configuration, and suggest fixes. Exit code 1 if a check fails.',
  own: {
    meaning: 'Look.',
    flags: {
      online: { type: 'boolean', meaning: 'Also contact the model provider and the MCP servers.' },
      ...JSON_FLAGS,
    },
  },
  verbs: {},
} as const satisfies CommandSpec;

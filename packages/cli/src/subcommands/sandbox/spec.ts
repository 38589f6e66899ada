import { SANDBOX_MODES } from '@qwen/protocol';
import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

const MODE = {
  mode: {
    type: 'string',
    choices: SANDBOX_MODES,
    meaning: 'What the program may write. Default: from the settings, else workspace-write.',
  },
} as const;

export const SANDBOX = {
  meaning: 'Run a program in the command sandbox, or print what the sandbox permits.',
  verbs: {
    run: {
      words: '-- PROGRAM [ARG...]',
      completes: ['none'],
      meaning: 'Run a program in the sandbox. Hosts that the settings do not permit are refused.',
      flags: MODE,
    },
    explain: {
      meaning: 'Print writable, protected and hidden paths, hosts and limits.',
      flags: { ...MODE, ...JSON_FLAGS },
    },
  },
} as const satisfies CommandSpec;

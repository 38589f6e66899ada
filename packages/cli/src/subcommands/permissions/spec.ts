import { PERMISSION_MODES } from '@qwen/protocol';
import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

export const BEHAVIORS = ['allow', 'ask', 'deny'] as const;
export const SCOPES = ['user', 'project', 'local'] as const;

const RULES = {
  'permission-mode': {
    type: 'string',
    choices: PERMISSION_MODES,
    meaning: 'Approval mode. Default: from the settings.',
  },
  'allowed-tools': { type: 'string', multiple: true, value: 'RULE', meaning: 'Additional allow rule. Repeatable.' },
  'exclude-tools': { type: 'string', multiple: true, value: 'RULE', meaning: 'Additional deny rule. Repeatable.' },
  ...JSON_FLAGS,
} as const;

export const PERMISSIONS = {
  meaning: 'List, change and test permission rules such as "Bash(git log:*)". Runs no tools.',
  verbs: {
    list: { meaning: 'List every rule with its file and line.', flags: JSON_FLAGS },
    add: {
      words: 'allow|ask|deny RULE...',
      completes: ['verb', 'tool'],
      meaning: 'Add rules to a settings file.',
      flags: {
        scope: {
          type: 'string',
          short: 's',
          choices: SCOPES,
          meaning: 'Settings file. Default: local (yours, for this project).',
        },
      },
    },
    remove: {
      words: 'allow|ask|deny RULE...',
      completes: ['verb', 'tool'],
      meaning: 'Remove rules from the settings files.',
      flags: {
        scope: {
          type: 'string',
          short: 's',
          choices: SCOPES,
          meaning: 'Settings file. Default: all files with the rule.',
        },
      },
    },
    explain: {
      words: 'TOOL INPUT',
      completes: ['tool', 'none'],
      meaning: 'Explain the decision for a call. INPUT is JSON; for Bash, also the command.',
      flags: RULES,
    },
    test: {
      words: 'FILE',
      completes: ['file'],
      meaning: 'Check cases [{"tool", "input", "mode"?, "expect"}]. Exit code 1 if a decision differs.',
      flags: RULES,
    },
  },
} as const satisfies CommandSpec;

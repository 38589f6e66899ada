import { PERMISSION_MODES } from '@qwen/protocol';
import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

export const BEHAVIORS = ['allow', 'ask', 'deny'] as const;
export const SCOPES = ['user', 'project', 'local'] as const;

const RULES = {
  'permission-mode': { type: 'string', choices: PERMISSION_MODES, meaning: 'The mode. Default: that of the settings.' },
  'allowed-tools': { type: 'string', multiple: true, value: 'RULE', meaning: 'One more rule that allows.' },
  'exclude-tools': { type: 'string', multiple: true, value: 'RULE', meaning: 'One more rule that denies.' },
  ...JSON_FLAGS,
} as const;

/** `qwen permissions` for help, completion and parsing. */
export const PERMISSIONS = {
  meaning: 'Rules for tool calls, such as "Bash(git log:*)", and what they decide. Nothing is run.',
  verbs: {
    list: { meaning: 'Every rule, with the file and the line that it comes from.', flags: JSON_FLAGS },
    add: {
      words: 'allow|ask|deny RULE...',
      completes: ['verb', 'tool'],
      meaning: 'Write rules into a settings file.',
      flags: {
        scope: {
          type: 'string',
          short: 's',
          choices: SCOPES,
          meaning: 'Whose file. Default local: yours, for this project.',
        },
      },
    },
    remove: {
      words: 'allow|ask|deny RULE...',
      completes: ['verb', 'tool'],
      meaning: 'Take rules out of the settings files.',
      flags: {
        scope: { type: 'string', short: 's', choices: SCOPES, meaning: 'Whose file. Default: all that have them.' },
      },
    },
    explain: {
      words: 'TOOL INPUT',
      completes: ['tool', 'none'],
      meaning: 'What would be decided about a call, and by what. INPUT is JSON, for Bash also the command.',
      flags: RULES,
    },
    test: {
      words: 'FILE',
      completes: ['file'],
      meaning: 'Check cases [{"tool", "input", "mode"?, "expect"}]; exit code 1 when one is decided otherwise.',
      flags: RULES,
    },
  },
} as const satisfies CommandSpec;

import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

const LIMIT = { type: 'string', value: 'N', meaning: 'Maximum number of entries.' } as const;
const CURSOR = { type: 'string', value: 'C', meaning: 'Continue after an earlier page.' } as const;

export const SESSIONS = {
  meaning: 'Manage stored sessions. An ID may be abbreviated if it is unambiguous.',
  verbs: {
    list: {
      meaning: 'List the sessions of this folder, newest first.',
      flags: {
        all: { type: 'boolean', meaning: 'Include all folders.' },
        limit: LIMIT,
        cursor: CURSOR,
        ...JSON_FLAGS,
      },
    },
    show: {
      words: 'ID',
      completes: ['session'],
      meaning: 'Print the messages of a session.',
      flags: { limit: LIMIT, cursor: CURSOR, ...JSON_FLAGS },
    },
    rename: {
      words: 'ID TITLE',
      completes: ['session', 'none'],
      meaning: 'Rename a session.',
      flags: JSON_FLAGS,
    },
    delete: {
      words: 'ID...',
      completes: ['session'],
      meaning: 'Delete sessions permanently, after confirmation.',
      flags: { yes: { type: 'boolean', short: 'y', meaning: 'Skip the confirmation.' }, ...JSON_FLAGS },
    },
    export: {
      words: 'ID [FILE]',
      completes: ['session', 'file'],
      meaning: 'Write a conversation to a new file, or to stdout.',
      flags: {
        format: {
          type: 'string',
          short: 'f',
          choices: ['md', 'json', 'jsonl', 'html', 'atif'],
          meaning: 'Default: from the file extension, else md.',
        },
      },
    },
    fork: {
      words: 'ID',
      completes: ['session'],
      meaning: 'Copy a session and print the new ID.',
      flags: { at: { type: 'string', value: 'MESSAGE_ID', meaning: 'The last message to copy.' }, ...JSON_FLAGS },
    },
  },
} as const satisfies CommandSpec;

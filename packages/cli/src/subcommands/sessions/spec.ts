import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

const LIMIT = { type: 'string', value: 'N', meaning: 'At most so many.' } as const;
const CURSOR = { type: 'string', value: 'C', meaning: 'Go on behind an earlier page.' } as const;

/** `qwen sessions` for help, completion and parsing. */
export const SESSIONS = {
  meaning: 'The sessions on the disk. An ID may be cut short as long as only one session begins so.',
  verbs: {
    list: {
      meaning: 'The sessions of this folder, the one used last first.',
      flags: {
        all: { type: 'boolean', meaning: 'Those of every folder.' },
        limit: LIMIT,
        cursor: CURSOR,
        ...JSON_FLAGS,
      },
    },
    show: {
      words: 'ID',
      completes: ['session'],
      meaning: 'The messages of a session.',
      flags: { limit: LIMIT, cursor: CURSOR, ...JSON_FLAGS },
    },
    rename: {
      words: 'ID TITLE',
      completes: ['session', 'none'],
      meaning: 'Give a session a title.',
      flags: JSON_FLAGS,
    },
    delete: {
      words: 'ID...',
      completes: ['session'],
      meaning: 'Remove sessions for good, after a question.',
      flags: { yes: { type: 'boolean', short: 'y', meaning: 'Without the question.' }, ...JSON_FLAGS },
    },
    export: {
      words: 'ID [FILE]',
      completes: ['session', 'file'],
      meaning: 'Write a conversation to a new file, or to stdout.',
      flags: {
        format: {
          type: 'string',
          short: 'f',
          choices: ['md', 'json', 'jsonl', 'html'],
          meaning: 'Default: what the name of the file ends with, else md.',
        },
      },
    },
    fork: {
      words: 'ID',
      completes: ['session'],
      meaning: 'Copy a session and print the new id.',
      flags: { at: { type: 'string', value: 'MESSAGE_ID', meaning: 'The last message to copy.' }, ...JSON_FLAGS },
    },
  },
} as const satisfies CommandSpec;

import type { FlagSpec } from './flag-spec.js';

export const SESSION_FLAGS = {
  resume: {
    name: 'resume',
    short: 'r',
    takes: 'optional',
    value: 'ID',
    meaning: 'Go on with a session; without an id, in a terminal, with one that is chosen there.',
    group: 'Session',
  },
  continue: {
    name: 'continue',
    short: 'c',
    takes: 'nothing',
    meaning: 'Go on with the latest session of this folder.',
    group: 'Session',
  },
  forkSession: {
    name: 'fork-session',
    takes: 'nothing',
    meaning: 'With --resume or --continue: go on in a copy.',
    group: 'Session',
  },
  resumeSessionAt: {
    name: 'resume-session-at',
    takes: 'text',
    value: 'MESSAGE_ID',
    meaning: 'With --resume or --continue: go on in a copy that ends with this message.',
    group: 'Session',
  },
  sessionId: { name: 'session-id', takes: 'text', value: 'UUID', meaning: 'Id for a new session.', group: 'Session' },
  maxSessionTurns: {
    name: 'max-session-turns',
    aliases: ['max-turns'],
    takes: 'integer',
    value: 'N',
    meaning: 'Model calls for one prompt at most; -1 for the built-in limit.',
    group: 'Session',
  },
  maxWallTime: {
    name: 'max-wall-time',
    takes: 'text',
    value: 'TIME',
    meaning: 'Time for one prompt at most: seconds, or 90s, 30m, 2h.',
    group: 'Session',
  },
  maxToolCalls: {
    name: 'max-tool-calls',
    takes: 'integer',
    value: 'N',
    meaning: 'Tool calls for one prompt at most.',
    group: 'Session',
  },
  maxTokens: {
    name: 'max-tokens',
    takes: 'integer',
    value: 'N',
    meaning: 'Tokens for one prompt at most, in and out together.',
    group: 'Session',
  },
  sessionTokenLimit: {
    name: 'session-token-limit',
    takes: 'integer',
    value: 'N',
    meaning: 'Tokens for the whole session at most, earlier runs included.',
    group: 'Session',
  },
} as const satisfies Record<string, FlagSpec>;

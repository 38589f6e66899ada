import type { FlagSpec } from './flag-spec.js';

export const SESSION_FLAGS = {
  resume: {
    name: 'resume',
    short: 'r',
    takes: 'optional',
    value: 'ID',
    meaning: 'Resume a session. Without an ID, pick one interactively.',
    group: 'Session',
  },
  continue: {
    name: 'continue',
    short: 'c',
    takes: 'nothing',
    meaning: 'Resume the latest session in this folder.',
    group: 'Session',
  },
  forkSession: {
    name: 'fork-session',
    takes: 'nothing',
    meaning: 'With --resume or --continue: resume in a copy.',
    group: 'Session',
  },
  resumeSessionAt: {
    name: 'resume-session-at',
    takes: 'text',
    value: 'MESSAGE_ID',
    meaning: 'With --resume or --continue: resume in a copy that ends with this message.',
    group: 'Session',
  },
  sessionId: { name: 'session-id', takes: 'text', value: 'UUID', meaning: 'ID of the new session.', group: 'Session' },
  maxSessionTurns: {
    name: 'max-session-turns',
    aliases: ['max-turns'],
    takes: 'integer',
    value: 'N',
    meaning: 'Maximum model calls per prompt; -1: no limit. Default: 1000, and no limit in the terminal.',
    group: 'Session',
  },
  maxWallTime: {
    name: 'max-wall-time',
    takes: 'text',
    value: 'TIME',
    meaning: 'Maximum time per prompt: seconds, or 90s, 30m, 2h.',
    group: 'Session',
  },
  maxToolCalls: {
    name: 'max-tool-calls',
    takes: 'integer',
    value: 'N',
    meaning: 'Maximum tool calls per prompt.',
    group: 'Session',
  },
  maxTokens: {
    name: 'max-tokens',
    takes: 'integer',
    value: 'N',
    meaning: 'Maximum tokens per prompt, input and output.',
    group: 'Session',
  },
  sessionTokenLimit: {
    name: 'session-token-limit',
    takes: 'integer',
    value: 'N',
    meaning: 'Maximum tokens per session, including earlier runs.',
    group: 'Session',
  },
} as const satisfies Record<string, FlagSpec>;

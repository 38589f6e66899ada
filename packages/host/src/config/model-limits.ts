import type { ModelConfig } from '@qwen/models';
import type { ModelOptions } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';
import { readDuration } from './prompt-limits.js';

type Limits = NonNullable<ModelConfig['limits']>;

const LIMIT_FLAGS = {
  connectTimeoutMs: ['connectTimeout', 'connect-timeout'],
  firstByteTimeoutMs: ['firstByteTimeout', 'first-byte-timeout'],
  idleTimeoutMs: ['idleTimeout', 'idle-timeout'],
  totalTimeoutMs: ['answerTimeout', 'answer-timeout'],
  retryTimeMs: ['retryTime', 'retry-time'],
  maxRetryAfterMs: ['maxRetryWait', 'max-retry-wait'],
} as const;

const LONGEST_TIMER_MS = 2_147_483_647;

type LimitFlags = Pick<Flags, (typeof LIMIT_FLAGS)[keyof typeof LIMIT_FLAGS][0]>;

/** Patience with a provider: flags over settings; a missing member means the default. Throws `usage`. */
export function readModelLimits(flags: LimitFlags, { timeouts = {}, retry = {} }: ModelOptions): Limits {
  const settings = {
    connectTimeoutMs: timeouts.connect,
    firstByteTimeoutMs: timeouts.firstByte,
    idleTimeoutMs: timeouts.idle,
    totalTimeoutMs: timeouts.answer,
    retryTimeMs: retry.time,
    maxRetryAfterMs: retry.maxWait,
  };
  const limits = Object.entries(LIMIT_FLAGS).map(([limit, [key, name]]) => {
    const text = flags[key];
    const seconds = settings[limit as keyof typeof settings];
    const ms = text === undefined ? seconds && seconds * 1_000 : text === '0' ? 0 : readDuration(name, text);
    return [limit, ms === undefined ? undefined : Math.min(ms, LONGEST_TIMER_MS)] as const;
  });
  return Object.fromEntries(limits.filter(([, ms]) => ms !== undefined));
}

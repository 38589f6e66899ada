import { AgentError, type Budget } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';
import type { RunLimits } from './settings.js';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1_000],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

type LimitFlags = Pick<Flags, 'maxWallTime' | 'maxToolCalls' | 'maxTokens' | 'maxBudgetUsd'>;

/** The budget per prompt from the flags, then the settings; -1 means no limit. Throws `usage`. */
export function readBudget(
  { maxWallTime, maxToolCalls, maxTokens, maxBudgetUsd }: LimitFlags,
  limits: RunLimits = {},
): Budget {
  const time = maxWallTime ?? limits.wallSeconds?.toString();
  const wallMs = time === undefined || time === '-1' ? undefined : readDuration('max-wall-time', time);
  const toolCalls = readCount('max-tool-calls', maxToolCalls ?? limits.toolCalls, 0);
  const tokens = readCount('max-tokens', maxTokens);
  const usd = readUsd(maxBudgetUsd);
  return {
    ...(usd !== undefined && { usd }),
    ...(wallMs !== undefined && { wallMs }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(tokens !== undefined && { tokens }),
  };
}

function readUsd(text: string | undefined): number | undefined {
  if (text === undefined || text === '-1') return undefined;
  const usd = /^\$?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text.replace('$', '')) : 0;
  if (usd > 0) return usd;
  throw new AgentError('usage', `--max-budget-usd needs an amount above 0 such as 2.50, not "${text}"`);
}

/** A number of at least `lowest`; undefined for -1 (no limit). Throws `usage`. */
export function readCount(flag: string, value: number | undefined, lowest = 1): number | undefined {
  if (value === undefined || value === -1) return undefined;
  if (value < lowest)
    throw new AgentError('usage', `--${flag} needs a number of at least ${lowest}, or -1 for no limit`);
  return value;
}

/** In milliseconds. Throws `usage`. */
export function readDuration(flag: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(s|m|h|)$/.exec(text) ?? [];
  const ms = Math.round(Number(number) * (UNITS.get(unit) ?? 0));
  if (ms > 0) return ms;
  throw new AgentError('usage', `--${flag} needs seconds, or a time such as 90s, 30m or 2h, not "${text}"`);
}

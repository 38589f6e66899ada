import type { Effort } from '@qwen/protocol';
import type { ModelConfig } from './config.js';

/** The request member; tokens for DashScope and Gemini 2.5. */
export type EffortSetting =
  | 'reasoning_effort'
  | 'openrouter'
  | 'dashscope_budget'
  | 'gemini_budget'
  | 'gemini_level'
  | 'anthropic_budget'
  | 'anthropic_effort';

/** Token budgets; the highest one that all models accept. */
export const THINKING_TOKENS: Readonly<Record<Effort, number>> = {
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** OpenAI's levels; only some models accept higher ones. */
export const REASONING_EFFORT = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const satisfies Readonly<Record<Effort, string>>;

/** The level for a limit of tokens; models differ in how they name no reasoning. */
export function levelOfTokens(model: string, tokens: number): string {
  if (tokens === 0) return /gpt-5\.\d/.test(model) ? 'none' : /gpt-5/.test(model) ? 'minimal' : 'low';
  if (tokens <= 4_096) return 'low';
  return tokens <= 16_384 ? 'medium' : 'high';
}

/** Accepts `reasoning` for every model and translates it, also if it chooses the model itself. */
const OPENROUTER_HOST = /(^|\.)openrouter\.ai$/;
const DASHSCOPE_HOST = /(^|\.)aliyuncs\.com$/;
const DASHSCOPE_THINKERS = /^(qwen3(?!-(coder|max)|.*-instruct)|qwen-(plus|turbo|flash)|qwq)/;
/** Matches at any host: gateways prefix the vendor. */
const REASONERS = /(^|\/)(o[1-9](-|$)|gpt-5(?!-chat)|gpt-oss)/;
/** Claude from 3.7 on; from 4.6 on by level. */
const CLAUDE_WITH_BUDGET = /claude-(3-7|(opus|sonnet|haiku)-[4-9]|[4-9])/;
const CLAUDE_WITH_EFFORT = /claude-((opus|sonnet|haiku)-)?(4-[6-9]|[5-9])/;
const GEMINI_WITH_BUDGET = /gemini-2\.5/;
const GEMINI_WITH_LEVEL = /gemini-([3-9]|\d\d)/;

export function effortSetting(
  target: Pick<ModelConfig, 'family' | 'baseUrl'>,
  model: string,
): EffortSetting | undefined {
  if (target.family === 'gemini') {
    if (GEMINI_WITH_BUDGET.test(model)) return 'gemini_budget';
    return GEMINI_WITH_LEVEL.test(model) ? 'gemini_level' : undefined;
  }
  if (target.family === 'anthropic') {
    if (CLAUDE_WITH_EFFORT.test(model)) return 'anthropic_effort';
    return CLAUDE_WITH_BUDGET.test(model) ? 'anthropic_budget' : undefined;
  }
  if (target.family === 'openai-responses') return REASONERS.test(model) ? 'reasoning_effort' : undefined;
  const host = target.baseUrl === undefined ? '' : (URL.parse(target.baseUrl)?.hostname ?? '');
  if (OPENROUTER_HOST.test(host)) return 'openrouter';
  if (DASHSCOPE_HOST.test(host)) return DASHSCOPE_THINKERS.test(model) ? 'dashscope_budget' : undefined;
  return REASONERS.test(model) ? 'reasoning_effort' : undefined;
}

export interface EffortStatus {
  readonly applied: boolean;
  readonly reason?: string;
}

export function effortStatus(target: Pick<ModelConfig, 'family' | 'baseUrl'>, model: string): EffortStatus {
  if (effortSetting(target, model) !== undefined) return { applied: true };
  return {
    applied: false,
    reason: `No effort setting is known for ${model}. To send one anyway, set modelOptions.extraBody.`,
  };
}

import type { Effort } from '@qwen/protocol';
import type { ModelConfig } from './config.js';

/** In which words an endpoint is told: OpenAI's level, DashScope's or Gemini 2.5's tokens, Gemini 3's level. */
export type EffortWords = 'reasoning_effort' | 'dashscope_budget' | 'gemini_budget' | 'gemini_level';

/** Tokens of thinking where a provider counts them; the highest is what all of their models take. */
export const THINKING_TOKENS: Readonly<Record<Effort, number>> = {
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** OpenAI's three levels; what is above them only some of its models take. */
export const REASONING_EFFORT = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const satisfies Readonly<Record<Effort, string>>;

const DASHSCOPE_HOST = /(^|\.)aliyuncs\.com$/;
/** Models of DashScope that can think and not think. */
const DASHSCOPE_THINKERS = /^(qwen3(?!-(coder|max)|.*-instruct)|qwen-(plus|turbo|flash)|qwq)/;
/** By whatever host they are reached: gateways put the name of the maker in front. */
const REASONERS = /(^|\/)(o[1-9](-|$)|gpt-5(?!-chat)|gpt-oss)/;
const GEMINI_WITH_BUDGET = /gemini-2\.5/;
const GEMINI_WITH_LEVEL = /gemini-([3-9]|\d\d)/;

/** How this model is told; undefined when it cannot be. */
export function effortWords(target: Pick<ModelConfig, 'family' | 'baseUrl'>, model: string): EffortWords | undefined {
  if (target.family === 'gemini') {
    if (GEMINI_WITH_BUDGET.test(model)) return 'gemini_budget';
    return GEMINI_WITH_LEVEL.test(model) ? 'gemini_level' : undefined;
  }
  const host = target.baseUrl === undefined ? '' : (URL.parse(target.baseUrl)?.hostname ?? '');
  if (DASHSCOPE_HOST.test(host)) return DASHSCOPE_THINKERS.test(model) ? 'dashscope_budget' : undefined;
  return REASONERS.test(model) ? 'reasoning_effort' : undefined;
}

/** Whether a wish for effort has an effect on this model, and why not. Makes no request. */
export interface EffortStatus {
  readonly applied: boolean;
  readonly reason?: string;
}

export function effortStatus(target: Pick<ModelConfig, 'family' | 'baseUrl'>, model: string): EffortStatus {
  if (effortWords(target, model) !== undefined) return { applied: true };
  return { applied: false, reason: `It is not known how to tell ${model} how much to think.` };
}

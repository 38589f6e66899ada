import type { ModelPrices } from '@qwen/agent';
import type { ModelOptions, Price, Usage } from '@qwen/protocol';
import type { ModelRoutes } from './model-routes.js';

/** For requests with more input tokens than this, everything costs these. */
type Tier = readonly [
  above: number,
  input: number,
  output: number,
  cacheRead?: number | undefined,
  cacheWrite?: number | undefined,
];

/**
 * List prices of the makers, in US dollars per million tokens. Models with open weights are left out: their price
 * depends on the host. Each group names its source.
 */
const LIST_PRICES: Readonly<Record<string, readonly Tier[]>> = {
  // OpenAI, Anthropic, Gemini and xAI: compared with @pydantic/genai-prices 0.1.8 of 2026-09-23.
  'gpt-5': [[0, 1.25, 10, 0.125]],
  'gpt-5-codex': [[0, 1.25, 10, 0.125]],
  'gpt-5-chat': [[0, 1.25, 10, 0.125]],
  'gpt-5-mini': [[0, 0.25, 2, 0.025]],
  'gpt-5-nano': [[0, 0.05, 0.4, 0.005]],
  'gpt-5-pro': [[0, 15, 120]],
  'gpt-5.1': [[0, 1.25, 10, 0.125]],
  'gpt-5.1-codex': [[0, 1.25, 10, 0.125]],
  'gpt-5.1-codex-max': [[0, 1.25, 10, 0.125]],
  'gpt-5.1-codex-mini': [[0, 0.25, 2, 0.025]],
  'gpt-5.2': [[0, 1.75, 14, 0.175]],
  'gpt-5.2-codex': [[0, 1.75, 14, 0.175]],
  'gpt-5.2-pro': [[0, 21, 168]],
  'gpt-5.3-codex': [[0, 1.75, 14, 0.175]],
  'gpt-5.4': [
    [0, 2.5, 15, 0.25],
    [272_000, 5, 22.5, 0.5],
  ],
  'gpt-5.4-mini': [[0, 0.75, 4.5, 0.075]],
  'gpt-5.4-nano': [[0, 0.2, 1.25, 0.02]],
  'gpt-5.5': [
    [0, 5, 30, 0.5],
    [272_000, 10, 45, 1],
  ],
  'gpt-4.1': [[0, 2, 8, 0.5]],
  'gpt-4.1-mini': [[0, 0.4, 1.6, 0.1]],
  'gpt-4.1-nano': [[0, 0.1, 0.4, 0.025]],
  'gpt-4o': [[0, 2.5, 10, 1.25]],
  'gpt-4o-mini': [[0, 0.15, 0.6, 0.075]],
  o1: [[0, 15, 60, 7.5]],
  o3: [[0, 2, 8, 0.5]],
  'o3-mini': [[0, 1.1, 4.4, 0.55]],
  'o4-mini': [[0, 1.1, 4.4, 0.275]],
  'claude-opus-4': [[0, 15, 75, 1.5, 18.75]],
  'claude-opus-4-1': [[0, 15, 75, 1.5, 18.75]],
  'claude-opus-4-5': [[0, 5, 25, 0.5, 6.25]],
  'claude-opus-4-6': [[0, 5, 25, 0.5, 6.25]],
  'claude-opus-4-7': [[0, 5, 25, 0.5, 6.25]],
  'claude-opus-4-8': [[0, 5, 25, 0.5, 6.25]],
  'claude-opus-5': [[0, 5, 25, 0.5, 6.25]],
  'claude-sonnet-5': [[0, 2, 10, 0.2, 2.5]],
  'claude-sonnet-4-6': [[0, 3, 15, 0.3, 3.75]],
  'claude-sonnet-4': [[0, 3, 15, 0.3, 3.75]],
  'claude-sonnet-4-5': [
    [0, 3, 15, 0.3, 3.75],
    [200_000, 6, 22.5, 0.6, 7.5],
  ],
  'claude-3-7-sonnet': [[0, 3, 15, 0.3, 3.75]],
  'claude-3-5-sonnet': [[0, 3, 15, 0.3, 3.75]],
  'claude-haiku-4-5': [[0, 1, 5, 0.1, 1.25]],
  'claude-3-5-haiku': [[0, 0.8, 4, 0.08, 1]],
  'gemini-2.5-pro': [
    [0, 1.25, 10, 0.125],
    [200_000, 2.5, 15, 0.25],
  ],
  'gemini-2.5-flash': [[0, 0.3, 2.5, 0.03]],
  'gemini-2.5-flash-lite': [[0, 0.1, 0.4, 0.01]],
  'gemini-3-pro-preview': [
    [0, 2, 12, 0.2],
    [200_000, 4, 18, 0.4],
  ],
  'gemini-3.1-pro-preview': [
    [0, 2, 12, 0.2],
    [200_000, 4, 18, 0.4],
  ],
  'gemini-3-flash-preview': [[0, 0.5, 3, 0.05]],
  'gemini-3.5-flash': [[0, 1.5, 9, 0.15]],
  'gemini-3.6-flash': [[0, 0.75, 3.75, 0.075]],
  'grok-4-fast': [[0, 0.2, 0.5, 0.05]],
  'grok-4-fast-reasoning': [[0, 0.2, 0.5, 0.05]],
  'grok-4-fast-non-reasoning': [[0, 0.2, 0.5, 0.05]],
  'grok-4-1-fast': [[0, 0.2, 0.5, 0.05]],
  'grok-4-1-fast-reasoning': [[0, 0.2, 0.5, 0.05]],
  'grok-4-1-fast-non-reasoning': [[0, 0.2, 0.5, 0.05]],
  'grok-4': [[0, 3, 15, 0.75]],
  'grok-code-fast-1': [[0, 0.2, 1.5, 0.02]],
  // Qwen, international: models.dev of 2026-09; the first tiers agree with @earendil-works/pi-ai 0.99.1 of 2026-09-29.
  'qwen3-coder-plus': [
    [0, 1, 5, 0.2, 1.25],
    [32_000, 1.8, 9, 0.36, 2.25],
    [128_000, 3, 15, 0.6, 3.75],
    [256_000, 6, 60, 1.2, 7.5],
  ],
  'qwen3-coder-flash': [
    [0, 0.3, 1.5, 0.06, 0.375],
    [32_000, 0.5, 2.5, 0.1, 0.625],
    [128_000, 0.8, 4, 0.16, 1],
    [256_000, 1.6, 9.6, 0.32, 2],
  ],
  'qwen3.8-max': [[0, 2, 6, 0.25, 2.5]],
  'qwen3.8-flash': [[0, 0.15, 0.47, 0.016, 0.2]],
  // DeepSeek at peak hours: api-docs.deepseek.com of 2026-11-15. Retired names are billed as flash.
  'deepseek-flash': [[0, 0.3, 1.2, 0.006]],
  'deepseek-v4-flash': [[0, 0.3, 1.2, 0.006]],
  'deepseek-v4-pro': [[0, 1.32, 3.96, 0.044]],
  'deepseek-chat': [[0, 0.3, 1.2, 0.006]],
  'deepseek-reasoner': [[0, 0.3, 1.2, 0.006]],
};

/** `vendor/` of gateways, and the date or alias of a version. */
const DECORATION = /^(?:[\w-]+\/)+|[-@](?:latest|\d{8}|\d{4}-\d{2}-\d{2})$/g;
/** States the cost of each answer. */
const REPORTING_HOST = /(^|\.)openrouter\.ai$/;

/** Configured prices first, then the list. */
export function createModelPrices(routes: ModelRoutes): ModelPrices {
  const tiersOf = (model: string) => {
    const { prices = {}, provider } = routes.of(model);
    const id = (provider.ok ? provider.settings.modelId : undefined) ?? model;
    const name = [model, id].find((candidate) => Object.hasOwn(prices, candidate));
    return toTiers(name === undefined ? undefined : prices[name]) ?? listed(id);
  };
  return {
    isKnown: (model) => {
      if (tiersOf(model) !== undefined) return true;
      const { provider } = routes.of(model);
      const { baseUrl = '' } = provider.ok ? provider.settings : {};
      return REPORTING_HOST.test(URL.parse(baseUrl)?.hostname ?? '');
    },
    costOf: (model, usage) => {
      const tier = tiersOf(model)?.findLast(([above]) => usage.input_tokens > above || above === 0);
      return tier === undefined ? undefined : costAt(tier, usage);
    },
  };
}

function listed(model: string): readonly Tier[] | undefined {
  const name = model
    .toLowerCase()
    .replaceAll(DECORATION, '')
    .replace(/^(claude\b.*\d)\.(?=\d)/, '$1-');
  return Object.hasOwn(LIST_PRICES, name) ? LIST_PRICES[name] : undefined;
}

function toTiers(price: Price | undefined): readonly Tier[] | undefined {
  return price && [[0, price.input, price.output, price.cacheRead, price.cacheWrite]];
}

function costAt([, input, output, cacheRead = input, cacheWrite = input]: Tier, usage: Usage): number {
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  const fresh = Math.max(0, usage.input_tokens - cached - written);
  const millionths = fresh * input + cached * cacheRead + written * cacheWrite + usage.output_tokens * output;
  return millionths / 1_000_000;
}

/** How to state a missing price, for errors. */
export function priceAdvice(model: string): string {
  const prices: ModelOptions = { prices: { [model]: { input: 0.5, output: 2 } } };
  return `Add it to ~/.qwen/settings.json in US dollars per million tokens, such as ${JSON.stringify({ modelOptions: prices })}.`;
}

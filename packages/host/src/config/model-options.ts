import type { ModelOptions } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';
import { readModelLimits } from './model-limits.js';
import type { ProviderSettings } from './provider.js';

type Proxy = NonNullable<ProviderSettings['proxy']>;

/** Member by member, the last one wins. Prices and timeouts of several add up. */
export function joinModelOptions(options: readonly ModelOptions[]): ModelOptions {
  const join = (member: 'timeouts' | 'retry' | 'extraBody' | 'extraHeaders' | 'prices') => {
    const given = options.flatMap((each) => each[member] ?? []);
    return given.length === 0 ? {} : { [member]: Object.assign({}, ...given) };
  };
  return {
    ...Object.assign({}, ...options),
    ...join('timeouts'),
    ...join('retry'),
    ...join('extraBody'),
    ...join('extraHeaders'),
    ...join('prices'),
  };
}

/** Headers of the command line override others. Throws `usage`. */
export function withModelOptions(
  provider: ProviderSettings,
  options: ModelOptions,
  flags: Parameters<typeof readModelLimits>[0],
): ProviderSettings {
  const { temperature, topP, maxTokens, thinkingBudget, effort, extraBody, extraHeaders, promptCache } = options;
  const { textToolCalls: toolCalls, thinkTags } = options;
  const defaults = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(thinkingBudget !== undefined && { thinkingTokens: thinkingBudget }),
    ...(effort !== undefined && { effort }),
  };
  return {
    ...provider,
    limits: readModelLimits(flags, options),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(extraHeaders !== undefined && { headers: { ...extraHeaders, ...provider.headers } }),
    ...(extraBody !== undefined && { extraBody }),
    ...(promptCache !== undefined && { promptCache }),
    ...((toolCalls !== undefined || thinkTags !== undefined) && { textReading: { toolCalls, thinkTags } }),
  };
}

/** The flag, then the setting, then the variables. `NO_PROXY` always counts; an empty flag means no proxy. */
export function readProxy(
  { proxy: flag }: Pick<Flags, 'proxy'>,
  setting: string | undefined,
  environment: Environment,
): Proxy | undefined {
  const { ALL_PROXY, HTTP_PROXY: http = ALL_PROXY, HTTPS_PROXY: https = ALL_PROXY, NO_PROXY: bypass } = environment;
  const given = flag ?? setting;
  if (given === '') return undefined;
  if (given !== undefined) return { http: given, https: given, bypass };
  return http === undefined && https === undefined ? undefined : { http, https, bypass, sparesLoopback: true };
}

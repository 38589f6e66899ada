import * as z from 'zod/mini';
import { EFFORTS } from './effort.js';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

const seconds = z.number().check(z.nonnegative());
const tokens = z.int().check(z.positive());
const texts = z.record(z.string(), z.string());

/** US dollars per million tokens. */
const priceSchema = lazySchema(() =>
  openObject({
    input: z.number().check(z.nonnegative()),
    output: z.number().check(z.nonnegative()),
    /** Default: as `input`. */
    cacheRead: z.optional(z.number().check(z.nonnegative())),
    /** Default: as `input`. */
    cacheWrite: z.optional(z.number().check(z.nonnegative())),
  }),
);
export type Price = z.infer<typeof priceSchema>;

/** How to call a model. */
export const modelOptionsSchema = lazySchema(() =>
  openObject({
    /** Seconds; 0: no limit. */
    timeouts: z.optional(
      openObject({
        connect: z.optional(seconds),
        firstByte: z.optional(seconds),
        idle: z.optional(seconds),
        answer: z.optional(seconds),
      }),
    ),
    /** Seconds. */
    retry: z.optional(openObject({ time: z.optional(seconds), maxWait: z.optional(seconds) })),
    contextWindow: z.optional(tokens),
    temperature: z.optional(z.number().check(z.nonnegative())),
    topP: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    /** The limit of one answer. */
    maxTokens: z.optional(tokens),
    effort: z.optional(z.enum(EFFORTS)),
    /** Tokens; 0: no reasoning. */
    thinkingBudget: z.optional(z.int().check(z.nonnegative())),
    /** Merged into the body of requests; null removes a member. */
    extraBody: z.optional(z.record(z.string(), z.unknown())),
    extraHeaders: z.optional(texts),
    promptCache: z.optional(z.enum(['auto', 'off'])),
    /** Default true. */
    textToolCalls: z.optional(z.boolean()),
    /** Default true. */
    thinkTags: z.optional(z.boolean()),
    /** By model. */
    prices: z.optional(z.record(z.string(), priceSchema)),
  }),
);
export type ModelOptions = z.infer<typeof modelOptionsSchema>;

export const PROVIDER_TYPES = ['openai', 'openai-responses', 'anthropic', 'gemini', 'vertex-ai'] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** A named endpoint of models. */
export const providerSchema = lazySchema(() =>
  openObject({
    /** The protocol. Default: `openai`, chat completions. */
    type: z.optional(z.enum(PROVIDER_TYPES)),
    /** Default: the public endpoint of the type. */
    baseUrl: z.optional(z.string()),
    /** The name of the variable that contains the key. */
    envKey: z.optional(z.string()),
    apiKey: z.optional(z.string()),
    /** Models by name, or with their own options. The first one is the default. */
    models: z.optional(
      z.array(z.union([z.string(), openObject({ id: z.string(), options: z.optional(modelOptionsSchema) })])),
    ),
    options: z.optional(modelOptionsSchema),
  }),
);
export type ProviderSetting = z.infer<typeof providerSchema>;

/** A model as qwen-code lists it in `modelProviders`. */
export const listedModelSchema = lazySchema(() =>
  openObject({
    id: z.string(),
    name: z.optional(z.string()),
    description: z.optional(z.string()),
    envKey: z.optional(z.string()),
    baseUrl: z.optional(z.string()),
    capabilities: z.optional(z.unknown()),
    generationConfig: z.optional(
      z.looseObject({
        /** Milliseconds. */
        timeout: z.optional(z.number()),
        contextWindowSize: z.nullish(z.number()),
        enableCacheControl: z.optional(z.boolean()),
        customHeaders: z.optional(texts),
        extra_body: z.optional(z.record(z.string(), z.unknown())),
        samplingParams: z.optional(z.record(z.string(), z.unknown())),
        reasoning: z.optional(z.unknown()),
      }),
    ),
  }),
);
export type ListedModelSetting = z.infer<typeof listedModelSchema>;

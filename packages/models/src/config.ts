import type { ModelClock } from './clock.js';
import type { ProxyRules } from './http/proxy.js';
import type { ModelLimits } from './model.js';
import type { ModelRequest } from './parts.js';
import type { TextReading } from './response/read-text-parts.js';

/** The client library and wire format. */
export type ModelFamily = 'openai-compatible' | 'openai-responses' | 'anthropic' | 'gemini';

/** The environment is not read; callers resolve it. */
export interface ModelConfig {
  readonly family: ModelFamily;
  /** Without a key, no credential is sent (`none` to a Gemini endpoint, whose client requires one). */
  readonly apiKey?: string | undefined;
  /** Default: the public endpoint of the provider. */
  readonly baseUrl?: string | undefined;
  /** Override the client library's headers. Values never appear in errors. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Gemini only: use Vertex AI with the Google credentials of this machine. */
  readonly vertex?: { readonly project: string; readonly location: string } | undefined;
  /** Apply where a request has none. */
  readonly defaults?:
    | Partial<Pick<ModelRequest, 'temperature' | 'topP' | 'maxOutputTokens' | 'thinkingTokens' | 'effort'>>
    | undefined;
  /** Merged into the body; null removes a member. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Cache markers where a provider needs them. Default `auto`. */
  readonly promptCache?: 'auto' | 'off' | undefined;
  readonly textReading?: TextReading | undefined;
  /** Default: direct connections. */
  readonly proxy?: ProxyRules | undefined;
  /** The provider's name of the model, if requests have another one. */
  readonly modelId?: string | undefined;
  /** Names of variables or settings, for errors. */
  readonly sources?: { readonly apiKey?: string; readonly baseUrl?: string } | undefined;
  /** Default: {@link DEFAULT_MODEL_LIMITS}. */
  readonly limits?: Partial<ModelLimits> | undefined;
  readonly clock?: ModelClock | undefined;
}

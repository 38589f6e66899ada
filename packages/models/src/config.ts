import type { ModelClock } from './clock.js';
import type { ModelLimits } from './model.js';

/** Which client library and wire a model is reached through. */
export type ModelFamily = 'openai-compatible' | 'gemini';

/**
 * How to reach a provider. Nothing here is read from the environment: whoever calls has resolved it. Which model
 * answers is said in each request.
 */
export interface ModelConfig {
  readonly family: ModelFamily;
  /**
   * Without one no credential is sent, as local endpoints want it; to a Gemini endpoint goes the word `none`, because
   * its client insists. Never appears in an error (S106).
   */
  readonly apiKey?: string | undefined;
  /** Default: the public endpoint of OpenAI, of the Gemini API or of Vertex AI. */
  readonly baseUrl?: string | undefined;
  /** Sent with each request; wins over what the client library sets. Values never appear in an error. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Gemini only: answers come from Vertex AI, with the Google credentials of this machine instead of the key. */
  readonly vertex?: { readonly project: string; readonly location: string } | undefined;
  /** Default {@link DEFAULT_MODEL_LIMITS}, member by member. */
  readonly limits?: Partial<ModelLimits> | undefined;
  /** Default the machine's clock. */
  readonly clock?: ModelClock | undefined;
}

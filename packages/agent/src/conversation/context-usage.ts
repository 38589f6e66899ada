import type { ModelMessage } from '@qwen/models';
import type { AnyTool } from '../tool.js';

/** What fills the window of a model, in tokens. */
export interface ContextUsage {
  readonly totalTokens: number;
  /** What fits into the window; undefined when nobody told. */
  readonly windowTokens: number | undefined;
  /** False when the provider counted the total; the parts are always estimates. */
  readonly isEstimated: boolean;
  readonly parts: readonly { readonly name: 'system prompt' | 'tools' | 'messages'; readonly tokens: number }[];
}

export interface ContextContents {
  readonly systemPrompt: string;
  readonly tools: readonly AnyTool[];
  readonly messages: readonly ModelMessage[];
  /** What the provider counted with the last answer. */
  readonly counted: number | undefined;
  readonly windowTokens: number | undefined;
}

/** English and code come to about this many characters a token; good enough to tell what is big. */
const CHARACTERS_PER_TOKEN = 4;
/** What an image costs with the providers that say so, whatever the length of its base64. */
const IMAGE_TOKENS = 1_000;

export function contextUsage({ systemPrompt, tools, messages, counted, windowTokens }: ContextContents): ContextUsage {
  const declared = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const system = textTokens(systemPrompt);
  const tooling = tools.length === 0 ? 0 : textTokens(JSON.stringify(declared));
  const talk = messages.reduce((sum, message) => sum + messageTokens(message), 0);
  const estimate = system + tooling + talk;
  return {
    totalTokens: counted ?? estimate,
    windowTokens,
    isEstimated: counted === undefined,
    parts: [
      { name: 'system prompt', tokens: system },
      { name: 'tools', tokens: tooling },
      { name: 'messages', tokens: Math.max(0, (counted ?? estimate) - system - tooling) },
    ],
  };
}

/** An estimate for one message. */
export function messageTokens(message: ModelMessage): number {
  let images = 0;
  const text = JSON.stringify(message, (_key, value: unknown) => {
    if (!isImage(value)) return value;
    images += 1;
    return undefined;
  });
  return textTokens(text) + images * IMAGE_TOKENS;
}

function isImage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'image';
}

/** An estimate for a text. */
export function textTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

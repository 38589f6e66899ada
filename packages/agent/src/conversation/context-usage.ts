import type { ModelMessage } from '@qwen/models';
import type { AnyTool } from '../tool.js';

export interface ContextUsage {
  readonly totalTokens: number;
  readonly windowTokens: number | undefined;
  readonly isEstimated: boolean;
  readonly parts: readonly {
    readonly name: 'system prompt' | 'memory files' | 'tools' | 'messages';
    readonly tokens: number;
  }[];
}

export interface ContextContents {
  readonly systemPrompt: string;
  /** The part of the system prompt that comes from files such as AGENTS.md. */
  readonly instructions?: string | undefined;
  readonly tools: readonly AnyTool[];
  readonly messages: readonly ModelMessage[];
  /** Counted by the provider, with the last answer. */
  readonly counted: number | undefined;
  readonly windowTokens: number | undefined;
}

const CHARACTERS_PER_TOKEN = 4;
/** For Chinese, Japanese and other scripts. */
const TOKENS_PER_OTHER_CHARACTER = 0.7;
/** What providers charge for an image, regardless of its base64 length. */
const IMAGE_TOKENS = 1_000;

export function contextUsage(contents: ContextContents): ContextUsage {
  const { systemPrompt, instructions = '', tools, messages, counted, windowTokens } = contents;
  const memory = textTokens(instructions);
  const system = Math.max(0, textTokens(systemPrompt) - memory);
  const tooling = toolTokens(tools);
  const talk = messages.reduce((sum, message) => sum + messageTokens(message), 0);
  const estimate = system + memory + tooling + talk;
  return {
    totalTokens: counted ?? estimate,
    windowTokens,
    isEstimated: counted === undefined,
    parts: [
      { name: 'system prompt', tokens: system },
      ...(memory === 0 ? [] : [{ name: 'memory files' as const, tokens: memory }]),
      { name: 'tools', tokens: tooling },
      { name: 'messages', tokens: Math.max(0, (counted ?? estimate) - system - memory - tooling) },
    ],
  };
}

export function toolTokens(tools: readonly Pick<AnyTool, 'name' | 'description' | 'inputSchema'>[]): number {
  if (tools.length === 0) return 0;
  const declared = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return textTokens(JSON.stringify(declared));
}

const sizes = new WeakMap<ModelMessage, number>();

export function messageTokens(message: ModelMessage): number {
  const known = sizes.get(message) ?? countMessage(message);
  sizes.set(message, known);
  return known;
}

function countMessage(message: ModelMessage): number {
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

export function textTokens(text: string): number {
  const others = text.match(/[^\0-\u02ff]/g)?.length ?? 0;
  return Math.ceil((text.length - others) / CHARACTERS_PER_TOKEN + others * TOKENS_PER_OTHER_CHARACTER);
}

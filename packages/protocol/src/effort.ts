/** Reasoning effort, from the least to the most. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

const THINKING_TOKENS: readonly (readonly [number, Effort])[] = [
  [4_096, 'low'],
  [16_384, 'medium'],
  [32_768, 'high'],
];

/** The effort for a number of thinking tokens above 0. */
export function effortOfTokens(tokens: number): Effort {
  return THINKING_TOKENS.find(([most]) => tokens <= most)?.[1] ?? 'max';
}

export function isEffort(word: string): word is Effort {
  return EFFORTS.some((effort) => effort === word);
}

/** Reasoning effort, from the least to the most. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export function isEffort(word: string): word is Effort {
  return EFFORTS.some((effort) => effort === word);
}

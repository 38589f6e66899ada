/** How much a model shall think, from a little to as much as it can. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** True for a word that we know. */
export function isEffort(word: string): word is Effort {
  return EFFORTS.some((effort) => effort === word);
}

import type { Completion } from '../command.js';

/** The values that go on from what was typed, without regard to case, in their order. */
export function startingWith(partial: string, values: readonly (string | Completion)[]): Completion[] {
  const typed = partial.toLowerCase();
  return values
    .map((value) => (typeof value === 'string' ? { value } : value))
    .filter(({ value }) => value.toLowerCase().startsWith(typed));
}

/**
 * How a flag takes its value. `optional` takes the next word unless it starts with a dash; `repeated` accumulates.
 */
export type FlagTaking = 'nothing' | 'text' | 'optional' | 'integer' | 'list' | 'repeated' | 'choice';

export const FLAG_GROUPS = [
  'Prompt',
  'Formats',
  'Model',
  'Permissions',
  'Tools',
  'Session',
  'Settings',
  'Other',
] as const;

export interface FlagSpec {
  /** Long name without the dashes. */
  readonly name: string;
  readonly short?: string;
  /** Other long names, from other programs. */
  readonly aliases?: readonly string[];
  readonly takes: FlagTaking;
  readonly choices?: readonly string[];
  /** Placeholder of the value in the help text. */
  readonly value?: string;
  readonly meaning: string;
  readonly group: (typeof FLAG_GROUPS)[number];
}

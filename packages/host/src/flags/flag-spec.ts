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
  readonly name: string;
  readonly short?: string;
  readonly aliases?: readonly string[];
  readonly takes: FlagTaking;
  readonly choices?: readonly string[];
  /** The choice if no value follows. Default: an error. */
  readonly alone?: string;
  readonly value?: string;
  readonly meaning: string;
  readonly group: (typeof FLAG_GROUPS)[number];
}

import type { Explanation } from '@qwen/agent';
import type { Configuration } from '../../config/load-config.js';
import { toVisible } from '../../visible-text.js';

/** What a verb of `qwen permissions` works with. */
export interface PermissionsCommand {
  readonly configuration: Configuration;
  readonly words: readonly string[];
  readonly asJson: boolean;
  /** Absolute. */
  readonly cwd: string;
  readonly print: (text: string) => Promise<void>;
}

/** An explanation in a few lines: the decision, what made it, and what played no part; in full, and such that a terminal shows all of it. */
export function toLines({ behavior, decidedBy, rule, reason, shadowed, parts }: Explanation): string[] {
  const lines = [
    `${behavior}  ${decidedBy}${rule === undefined ? '' : `  ${rule}`}`,
    `  ${reason}`,
    ...(parts.length > 1
      ? parts.map((part) => `  ${part.behavior}  ${JSON.stringify(part.text)}  ${part.reason}`)
      : []),
    ...shadowed.map((other) => `  shadowed  ${other.behavior}  ${other.rule}`),
  ];
  return lines.map(toVisible);
}

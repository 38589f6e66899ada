import { nearestName } from '@qwen/protocol';
import type { SettingsLayer, SettingsNotice } from './settings.js';
import type { UnknownSetting } from './unknown-settings.js';

/** A file of another program may hold any number of them. */
const MAX_NAMED = 5;

/** One notice for what a file says and we do not understand (a typo in a rule must not go unseen). Pure. */
export function unknownNotice(
  { path }: Pick<SettingsLayer, 'path'>,
  unknown: readonly UnknownSetting[],
): SettingsNotice {
  const named = unknown.slice(0, MAX_NAMED).map(describeUnknown);
  const more = unknown.length - named.length;
  const rest = more === 0 ? '' : `, and ${more} more`;
  return { code: 'unknown_setting', message: `${path}: without effect: ${named.join(', ')}${rest}.` };
}

/** The member by its whole name, with the one that was probably meant. */
export function describeUnknown({ path, known }: UnknownSetting): string {
  const near = nearestName(String(path.at(-1)), known);
  return `${JSON.stringify(path.join('.'))}${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}

import { nearestName } from '@qwen/protocol';
import type { SettingsLayer, SettingsNotice } from './settings.js';
import type { UnknownSetting } from './unknown-settings.js';

/** A file of another program may have any number. */
const MAX_NAMED = 5;

/** One notice about the unknown members of a file: a typo in a rule must not go unseen. Pure. */
export function unknownNotice(
  { path }: Pick<SettingsLayer, 'path'>,
  unknown: readonly UnknownSetting[],
): SettingsNotice {
  const named = unknown.slice(0, MAX_NAMED).map(describeUnknown);
  const more = unknown.length - named.length;
  const rest = more === 0 ? '' : `, and ${more} more`;
  return {
    code: 'unknown_setting',
    message: `${path} has unknown members, which have no effect: ${named.join(', ')}${rest}.`,
  };
}

export function describeUnknown({ path, known }: UnknownSetting): string {
  const near = nearestName(String(path.at(-1)), known);
  return `${JSON.stringify(path.join('.'))}${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}

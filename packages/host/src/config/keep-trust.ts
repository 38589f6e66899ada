import { projectRequests } from './project-requests.js';
import { findSettingsFiles, type SettingsSources } from './settings-files.js';
import { readProject } from './settings-layers.js';
import { withSettingsLock } from './settings-lock.js';
import { projectTrust } from './trust.js';
import { trustOwnSettings, trustSettings } from './trust-changes.js';

export interface OwnChange<Result> {
  readonly result: Result;
  readonly isTrusted: boolean;
}

/**
 * Runs a settings change of the user, such as "always allow". A trusted project stays trusted, and one without
 * requests becomes trusted; any other stays untrusted. Changes run one at a time.
 */
export async function keepTrust<Result>(
  { configDir, cwd }: Pick<SettingsSources, 'configDir' | 'cwd'>,
  change: () => Promise<Result>,
): Promise<OwnChange<Result>> {
  const read = () => readProject(findSettingsFiles({ configDir, cwd, flags: {} }));
  return withSettingsLock(configDir, async () => {
    const before = await read();
    const isTrusted = projectTrust(configDir, before) === 'trusted';
    const isEmpty = projectRequests(before).length === 0;
    const result = await change();
    if (isTrusted) await trustSettings(configDir, await read());
    else if (isEmpty) await trustOwnSettings(configDir, await read());
    return { result, isTrusted: isTrusted || isEmpty };
  });
}

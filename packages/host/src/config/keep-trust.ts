import { projectRequests } from './project-requests.js';
import { findSettingsFiles, type SettingsSources } from './settings-files.js';
import { readProject } from './settings-layers.js';
import { changeSettings } from './settings-lock.js';
import { projectTrust } from './trust.js';
import { trustOwnSettings, trustSettings } from './trust-changes.js';

export interface OwnChange<Result> {
  readonly result: Result;
  /** Whether the project is trusted now. */
  readonly isTrusted: boolean;
}

/**
 * Runs a change of settings that the user made, such as "always allow". A trusted project stays trusted with its new
 * content, and one that asked for nothing becomes trusted with it; any other stays untrusted. Changes run one at a time.
 */
export async function keepTrust<Result>(
  { configDir, cwd }: Pick<SettingsSources, 'configDir' | 'cwd'>,
  change: () => Promise<Result>,
): Promise<OwnChange<Result>> {
  const read = () => readProject(findSettingsFiles({ configDir, cwd, flags: {} }));
  return changeSettings(configDir, async () => {
    const before = await read();
    const isTrusted = projectTrust(configDir, before) === 'trusted';
    const isEmpty = projectRequests(before).length === 0;
    const result = await change();
    if (isTrusted) await trustSettings(configDir, await read());
    else if (isEmpty) await trustOwnSettings(configDir, await read());
    return { result, isTrusted: isTrusted || isEmpty };
  });
}

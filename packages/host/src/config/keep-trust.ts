import { findSettingsFiles, type SettingsSources } from './settings-files.js';
import { readProject } from './settings-layers.js';
import { changeSettings } from './settings-lock.js';
import { projectTrust } from './trust.js';
import { trustSettings } from './trust-changes.js';

/** A change of settings by the user's own hand. */
export interface OwnChange<Result> {
  readonly result: Result;
  /** Whether the project is trusted, so that what its settings ask for counts. */
  readonly isTrusted: boolean;
}

/**
 * Lets the user change settings by our own hand, such as with "always allow", one change after the other: a project that
 * was trusted before stays trusted with what it says afterwards. One that was not stays so.
 */
export async function keepTrust<Result>(
  { qwenHome, cwd }: Pick<SettingsSources, 'qwenHome' | 'cwd'>,
  change: () => Promise<Result>,
): Promise<OwnChange<Result>> {
  const read = () => readProject(findSettingsFiles({ qwenHome, cwd, flags: {} }));
  return changeSettings(qwenHome, async () => {
    const before = projectTrust(qwenHome, await read());
    const isTrusted = before === 'trusted' || before === 'agents_changed';
    const result = await change();
    if (isTrusted) await trustSettings(qwenHome, await read());
    return { result, isTrusted };
  });
}

import { findSettingsFiles, type SettingsSources } from './settings-files.js';
import { readProject } from './settings-layers.js';
import { projectTrust, trustSettings } from './trust.js';

/**
 * Lets the user change the settings of a project by our own hand, such as with "always allow": a project that was
 * trusted before stays trusted with what it says afterwards. One that was not stays so.
 */
export async function keepTrust<Result>(
  { qwenHome, cwd }: Pick<SettingsSources, 'qwenHome' | 'cwd'>,
  change: () => Promise<Result>,
): Promise<Result> {
  const read = () => readProject(findSettingsFiles({ qwenHome, cwd, flags: {} }));
  const before = projectTrust(qwenHome, read());
  const result = await change();
  if (before === 'trusted' || before === 'agents_changed') trustSettings(qwenHome, read());
  return result;
}

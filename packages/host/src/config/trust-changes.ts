import { realpathSync } from 'node:fs';
import type { TrustedFolders } from '@qwen/protocol';
import { replaceFile } from '../files/private-file.js';
import { withSettingsLock } from './settings-lock.js';
import { agentsHash, type Project, readTrusted, settingsHash, trustFile } from './trust.js';

type Entry = TrustedFolders['folders'][string];

export async function trustProject(configDir: string, project: Project): Promise<void> {
  const agents = agentsHash(project);
  await withSettingsLock(configDir, () =>
    writeEntry(configDir, project, {
      trusted_at: new Date().toISOString(),
      settings_sha256: settingsHash(project.settings),
      ...(agents !== undefined && { agents_sha256: agents }),
    }),
  );
}

/** Revokes trust. Returns false when there was none. The folder need not exist. */
export async function revokeTrust(configDir: string, folder: string): Promise<boolean> {
  return withSettingsLock(configDir, async () => {
    const { [realPathOf(folder)]: entry, ...folders } = readTrusted(configDir).folders;
    if (entry !== undefined) await writeTrusted(configDir, { folders });
    return entry !== undefined;
  });
}

/** Trusts a trusted project's current settings; its agents keep their state. Call within `withSettingsLock`. */
export async function trustSettings(configDir: string, project: Project): Promise<void> {
  const entry = readTrusted(configDir).folders[realpathSync(project.folder)];
  if (entry === undefined) return;
  await writeEntry(configDir, project, { ...entry, settings_sha256: settingsHash(project.settings) });
}

/** Trusts settings that the user alone made. Call within `withSettingsLock`. */
export function trustOwnSettings(configDir: string, project: Project): Promise<void> {
  return writeEntry(configDir, project, {
    trusted_at: new Date().toISOString(),
    settings_sha256: settingsHash(project.settings),
    own_settings_only: true,
  });
}

async function writeEntry(configDir: string, { folder }: Project, entry: Entry): Promise<void> {
  const { folders } = readTrusted(configDir);
  await writeTrusted(configDir, { folders: { ...folders, [realpathSync(folder)]: entry } });
}

function writeTrusted(configDir: string, trusted: TrustedFolders): Promise<void> {
  return replaceFile(trustFile(configDir), `${JSON.stringify(trusted, undefined, 2)}\n`);
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

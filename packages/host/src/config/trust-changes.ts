import { realpathSync } from 'node:fs';
import type { TrustedFolders } from '@qwen/protocol';
import { replaceFile } from '../files/private-file.js';
import { changeSettings } from './settings-lock.js';
import { agentsHash, type Project, readTrusted, settingsHash, trustFile } from './trust.js';

type Entry = TrustedFolders['folders'][string];

/** Trusts a project's current content; a later change needs a new decision. */
export async function trustProject(qwenHome: string, project: Project): Promise<void> {
  const agents = agentsHash(project);
  await changeSettings(qwenHome, () =>
    writeEntry(qwenHome, project, {
      trusted_at: new Date().toISOString(),
      settings_sha256: settingsHash(project.settings),
      ...(agents !== undefined && { agents_sha256: agents }),
    }),
  );
}

/** Revokes trust. Returns false when there was none. The folder need not exist. */
export async function revokeTrust(qwenHome: string, folder: string): Promise<boolean> {
  return changeSettings(qwenHome, async () => {
    const { [realPathOf(folder)]: entry, ...folders } = readTrusted(qwenHome).folders;
    if (entry !== undefined) await writeTrusted(qwenHome, { folders });
    return entry !== undefined;
  });
}

/** Trusts a trusted project's current settings; its agents keep their state. Call within `changeSettings`. */
export async function trustSettings(qwenHome: string, project: Project): Promise<void> {
  const entry = readTrusted(qwenHome).folders[realpathSync(project.folder)];
  if (entry === undefined) return;
  await writeEntry(qwenHome, project, { ...entry, settings_sha256: settingsHash(project.settings) });
}

async function writeEntry(qwenHome: string, { folder }: Project, entry: Entry): Promise<void> {
  const { folders } = readTrusted(qwenHome);
  await writeTrusted(qwenHome, { folders: { ...folders, [realpathSync(folder)]: entry } });
}

function writeTrusted(qwenHome: string, trusted: TrustedFolders): Promise<void> {
  return replaceFile(trustFile(qwenHome), `${JSON.stringify(trusted, undefined, 2)}\n`);
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

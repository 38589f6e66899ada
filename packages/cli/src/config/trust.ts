import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError, describeIssue, type Settings, type TrustedFolders, trustedFoldersSchema } from '@qwen/protocol';

/** Whether what a project asks for counts: `changed` means that it asks for something else than it did when it was trusted. */
export type ProjectTrust = 'trusted' | 'changed' | 'untrusted';

/** A project as its settings files show it. */
export interface Project {
  /** Absolute path; its real path is what is trusted. */
  readonly folder: string;
  /** What its files say, in the order of the files. */
  readonly settings: readonly Settings[];
}

/** Looks a project up among the trusted ones. Throws `invalid_settings` when the list cannot be read. */
export function projectTrust(qwenHome: string, project: Project): ProjectTrust {
  const { folders } = readTrusted(qwenHome);
  const entry = folders[realpathSync(project.folder)];
  if (entry === undefined) return 'untrusted';
  return entry.settings_sha256 === fingerprint(project.settings) ? 'trusted' : 'changed';
}

/** Trusts a project with what it asks for now; anything else that it asks for later is another decision (S50). */
export function trustProject(qwenHome: string, project: Project): void {
  const { folders } = readTrusted(qwenHome);
  const entry = { trusted_at: new Date().toISOString(), settings_sha256: fingerprint(project.settings) };
  writeTrusted(qwenHome, { folders: { ...folders, [realpathSync(project.folder)]: entry } });
}

/** Takes the trust back. False when there was none; also a folder that is gone can be named. */
export function revokeTrust(qwenHome: string, folder: string): boolean {
  const { folders } = readTrusted(qwenHome);
  const { [realPathOf(folder)]: entry, ...others } = folders;
  if (entry === undefined) return false;
  writeTrusted(qwenHome, { folders: others });
  return true;
}

/** Real paths of the trusted folders, with the time of the decision. */
export function listTrusted(qwenHome: string): readonly { readonly folder: string; readonly trustedAt: string }[] {
  return Object.entries(readTrusted(qwenHome).folders).map(([folder, entry]) => ({
    folder,
    trustedAt: entry.trusted_at,
  }));
}

/** Covers everything that needs trust; order of members does not matter, deny and ask rules need none. */
function fingerprint(settings: readonly Settings[]): string {
  const asked = settings.map(({ model, hooks, disableAllHooks, mcpServers, permissions = {} }) => {
    const { allow, defaultMode, additionalDirectories } = permissions;
    return { model, hooks, disableAllHooks, mcpServers, allow, defaultMode, additionalDirectories };
  });
  return createHash('sha256').update(canonicalJson(asked)).digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function readTrusted(qwenHome: string): TrustedFolders {
  const path = pathOf(qwenHome);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return { folders: {} };
    throw invalid(path, 'it cannot be read');
  }
  try {
    const parsed = trustedFoldersSchema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    throw invalid(path, describeIssue('trusted', parsed.error));
  } catch (thrown) {
    throw AgentError.is(thrown) ? thrown : invalid(path, 'it is not JSON');
  }
}

/** All or nothing, for the user alone. */
function writeTrusted(qwenHome: string, trusted: TrustedFolders): void {
  mkdirSync(qwenHome, { recursive: true, mode: 0o700 });
  const path = pathOf(qwenHome);
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${JSON.stringify(trusted, undefined, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function pathOf(qwenHome: string): string {
  return join(qwenHome, 'trusted-folders.json');
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

function invalid(path: string, problem: string): AgentError {
  return new AgentError('invalid_settings', `The list of trusted folders in ${path} is not understood: ${problem}.`, {
    data: { path, problem },
  });
}

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  AgentError,
  describeIssue,
  type Settings,
  systemCodeOf,
  type TrustedFolders,
  trustedFoldersSchema,
} from '@qwen/protocol';
import type { AgentTexts } from '../agents/agent-texts.js';

/** `changed`: anything changed since it was trusted, so nothing counts. */
export type ProjectTrust = 'trusted' | 'changed' | 'untrusted';

export interface Project {
  readonly folder: string;
  /** In file order. */
  readonly settings: readonly Settings[];
  readonly agents?: AgentTexts;
  /** Default: none. */
  readonly skillFolders?: readonly string[];
}

export interface TrustedFolder {
  readonly folder: string;
  readonly trustedAt: string;
  /** The user made all its settings with qwen; nobody decided about other content. */
  readonly hasOwnSettingsOnly: boolean;
}

/** Looks a project up in the trusted folders. Throws `invalid_settings` when the list is unreadable. */
export function projectTrust(configDir: string, project: Project): ProjectTrust {
  const { folders } = readTrusted(configDir);
  const entry = folders[realpathSync(project.folder)];
  if (entry === undefined) return 'untrusted';
  const isSame = entry.settings_sha256 === settingsHash(project.settings);
  return isSame && entry.agents_sha256 === agentsHash(project) ? 'trusted' : 'changed';
}

export function listTrusted(configDir: string): readonly TrustedFolder[] {
  return Object.entries(readTrusted(configDir).folders).map(([folder, entry]) => ({
    folder,
    trustedAt: entry.trusted_at,
    hasOwnSettingsOnly: entry.own_settings_only === true,
  }));
}

/** Covers everything that needs trust. Ignores member order and deny and ask rules. */
export function settingsHash(settings: readonly Settings[]): string {
  const asked = settings.map(({ model, fallbackModel, hooks, disableAllHooks, mcpServers, permissions = {} }) => {
    const { allow, defaultMode, additionalDirectories } = permissions;
    return { model, fallbackModel, hooks, disableAllHooks, mcpServers, allow, defaultMode, additionalDirectories };
  });
  return createHash('sha256').update(canonicalJson(asked)).digest('hex');
}

/** Covers names and texts, because a prompt instructs a model. Undefined without agents. */
export function agentsHash({ folder, agents }: Project): string | undefined {
  if (agents === undefined) return undefined;
  const files = agents.texts.map(({ path, text = null }) => [relative(folder, path), text]);
  return createHash('sha256').update(JSON.stringify(files)).digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Empty when there is no list. Throws `invalid_settings`. */
export function readTrusted(configDir: string): TrustedFolders {
  const path = trustFile(configDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return { folders: {} };
    throw invalid(path, 'it cannot be read');
  }
  try {
    const parsed = trustedFoldersSchema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    throw invalid(path, describeIssue('trusted', parsed.error));
  } catch (thrown) {
    throw AgentError.is(thrown) ? thrown : invalid(path, 'it is not valid JSON');
  }
}

export function trustFile(configDir: string): string {
  return join(configDir, 'trusted-folders.json');
}

function invalid(path: string, problem: string): AgentError {
  return new AgentError('invalid_settings', `The list of trusted folders in ${path} is invalid: ${problem}.`, {
    data: { path, problem },
  });
}

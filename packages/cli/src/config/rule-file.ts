import { join } from 'node:path';
import { changedList, type RuleStore, toRuleText } from '@qwen/agent';
import {
  AgentError,
  describeIssue,
  type PermissionDestination,
  type PermissionMode,
  type PermissionUpdate,
} from '@qwen/protocol';
import * as z from 'zod/mini';
import { readOptionalFile, replaceFile } from '../files/private-file.js';
import { keepTrust } from './keep-trust.js';
import { findSettingsFiles } from './settings-files.js';

const listSchema = z.optional(z.array(z.string()));
const fileSchema = z.looseObject({
  permissions: z.optional(
    z.looseObject({ allow: listSchema, ask: listSchema, deny: listSchema, defaultMode: z.optional(z.string()) }),
  ),
});
type RuleFile = z.infer<typeof fileSchema>;

/** Those that a project may choose without trust. */
const TIGHT_MODES: ReadonlySet<PermissionMode> = new Set(['plan', 'default']);

export interface RuleFilesOptions {
  /** Absolute. */
  readonly qwenHome: string;
  readonly cwd: string;
}

/**
 * Keeps rules in the settings files: everything else that a file says stays, and a file that is not understood is left
 * as it is, with `invalid_settings`. Changes of one process come one after the other, in order. What was written into
 * the files of a project that nobody trusted, and would let more happen, is `untrusted_folder`: it stands there, and
 * counts once the folder is trusted.
 */
export function createRuleStore(options: RuleFilesOptions): RuleStore {
  let last: Promise<void> = Promise.resolve();
  return {
    save: (update) => {
      const saved = last.catch(() => undefined).then(() => saveOne(update, options));
      last = saved;
      return saved;
    },
  };
}

async function saveOne(update: PermissionUpdate, options: RuleFilesOptions): Promise<void> {
  const place = placeOf(update.destination, options);
  const { isTrusted } = await keepTrust(options, () => changeFile(place, update));
  if (isTrusted || update.destination === 'userSettings' || !letsMoreHappen(update)) return;
  const message = `it stands in ${place.path}, which counts once the folder is trusted: qwen trust`;
  throw new AgentError('untrusted_folder', message, { data: { path: place.path } });
}

function letsMoreHappen(update: PermissionUpdate): boolean {
  if (update.type === 'setMode') return !TIGHT_MODES.has(update.mode);
  return update.type !== 'removeRules' && update.behavior === 'allow';
}

interface Place {
  readonly path: string;
  /** Of the file: what a user says is private, what a project says is shared. */
  readonly mode: number;
}

function placeOf(destination: PermissionDestination, { qwenHome, cwd }: RuleFilesOptions): Place {
  const { projectFolder } = findSettingsFiles({ qwenHome, cwd, flags: {} });
  switch (destination) {
    case 'projectSettings':
      return { path: join(projectFolder, '.qwen', 'settings.json'), mode: 0o644 };
    case 'localSettings':
      return { path: join(projectFolder, '.qwen', 'settings.local.json'), mode: 0o600 };
    case 'userSettings':
      return { path: join(qwenHome, 'settings.json'), mode: 0o600 };
    case 'session':
      throw new AgentError('internal', 'A rule of the session is kept nowhere.');
  }
}

async function changeFile({ path, mode }: Place, update: PermissionUpdate): Promise<void> {
  const file = await readRuleFile(path);
  const permissions = { ...file.permissions, ...changed(file.permissions ?? {}, update) };
  await replaceFile(path, `${JSON.stringify({ ...file, permissions }, undefined, 2)}\n`, { mode });
}

function changed(permissions: NonNullable<RuleFile['permissions']>, update: PermissionUpdate) {
  if (update.type === 'setMode') return { defaultMode: update.mode };
  const { type, behavior, rules } = update;
  return { [behavior]: changedList(type, permissions[behavior] ?? [], rules.map(toRuleText)) };
}

async function readRuleFile(path: string): Promise<RuleFile> {
  const text = await readOptionalFile(path);
  if (text === undefined) return {};
  const invalid = (problem: string) =>
    new AgentError('invalid_settings', `${path} is not understood: ${problem}`, { data: { path, problem } });
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw invalid('it is not JSON');
  }
  const parsed = z.safeParse(fileSchema, json);
  if (!parsed.success) throw invalid(describeIssue('settings', parsed.error));
  return parsed.data;
}

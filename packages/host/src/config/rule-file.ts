import { join } from 'node:path';
import { changedList, type RuleStore, toRuleText } from '@qwen/agent';
import {
  AgentError,
  isJsonObject,
  type PermissionDestination,
  type PermissionMode,
  type PermissionUpdate,
  type Settings,
} from '@qwen/protocol';
import { readOptionalFile } from '../files/private-file.js';
import { editList } from './edit-list.js';
import { editSettingsText } from './edit-settings-text.js';
import { keepTrust } from './keep-trust.js';
import { parseJson, parseSettings, type SettingsSource, withoutMark } from './settings-file.js';
import { findSettingsFiles } from './settings-files.js';
import { writeSettings } from './write-settings.js';

/** The modes a project may choose without trust. */
const TIGHT_MODES: ReadonlySet<PermissionMode> = new Set(['plan', 'default']);

export interface RuleFilesOptions {
  /** Absolute. */
  readonly configDir: string;
  readonly cwd: string;
}

/**
 * Stores rules in the settings files, one change at a time. A rule for an untrusted project is stored but rejects
 * with `untrusted_folder`; an invalid file rejects with `invalid_settings`.
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
  const message = `it was saved in ${place.path} and applies once the folder is trusted. Run qwen trust.`;
  throw new AgentError('untrusted_folder', message, { data: { path: place.path } });
}

function letsMoreHappen(update: PermissionUpdate): boolean {
  if (update.type === 'setMode') return !TIGHT_MODES.has(update.mode);
  return update.type !== 'removeRules' && update.behavior === 'allow';
}

function placeOf(destination: PermissionDestination, { configDir, cwd }: RuleFilesOptions): SettingsSource {
  const { projectFolder } = findSettingsFiles({ configDir, cwd, flags: {} });
  switch (destination) {
    case 'projectSettings':
      return { origin: 'project', path: join(projectFolder, '.qwen', 'settings.json') };
    case 'localSettings':
      return { origin: 'local', path: join(projectFolder, '.qwen', 'settings.local.json') };
    case 'userSettings':
      return { origin: 'user', path: join(configDir, 'settings.json') };
    case 'session':
      throw new AgentError('internal', 'A session rule cannot be saved.');
  }
}

async function changeFile(source: SettingsSource, update: PermissionUpdate): Promise<void> {
  const before = (await readOptionalFile(source.path)) ?? '{}\n';
  await parseSettings(source, before);
  const json = await parseJson(source.path, withoutMark(before));
  await writeSettings(source, changed(source.path, before, { permissions: listsOf(json), update }));
}

/** The rules as written: those of qwen-code mean more than their text. */
function listsOf(json: unknown): Change['permissions'] {
  const permissions = isJsonObject(json) && isJsonObject(json['permissions']) ? json['permissions'] : {};
  const lists = ['allow', 'ask', 'deny'].flatMap((name) =>
    Array.isArray(permissions[name]) ? [[name, permissions[name]]] : [],
  );
  return Object.fromEntries(lists);
}

interface Change {
  readonly permissions: NonNullable<Settings['permissions']>;
  readonly update: PermissionUpdate;
}

function changed(path: string, text: string, { permissions, update }: Change): string {
  if (update.type === 'setMode') {
    return editSettingsText(path, text, { path: ['permissions', 'defaultMode'], value: update.mode });
  }
  const { type, behavior, rules } = update;
  const before = permissions[behavior];
  const after = changedList(type, before ?? [], rules.map(toRuleText));
  return editList(path, text, { path: ['permissions', behavior], before, after });
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type AgentError,
  type FoundIssue,
  isJsonObject,
  type JsonObject,
  type Settings,
  settingsSchema,
} from '@qwen/protocol';
import type { ForeignPart, SettingsNotice } from '../settings.js';
import type { SettingsSource } from '../settings-file.js';
import { recoverSettings } from '../settings-text.js';
import type { UnusedMember } from './member-reader.js';
import { isOfQwenCode } from './recognize.js';
import { translateSettings, withVariables } from './translate.js';

export type ReadForeign =
  | { readonly ok: true; readonly settings: Settings; readonly foreign: ForeignPart }
  | { readonly ok: false; readonly issue: FoundIssue };

export function readForeign(json: JsonObject, { path, origin }: SettingsSource): ReadForeign {
  const read = translateSettings(json, { origin, environment: process.env });
  if (!read.ok) return read;
  const { settings, extra, unused } = read;
  const notice = noticeOf(path, unused, origin === 'user' ? settings.permissions?.defaultMode : undefined);
  return { ok: true, settings, foreign: { extra, ...(notice !== undefined && { notice }) } };
}

/** The servers of a trusted project, with variables. Trust covers what the file says, so they come after it. */
export function withServerVariables({ mcpServers, ...settings }: Settings): Settings {
  if (mcpServers === undefined) return settings;
  const { mcpServers: resolved } = settingsSchema.parse(withVariables({ mcpServers }, process.env));
  return { ...settings, ...(resolved !== undefined && { mcpServers: resolved }) };
}

function noticeOf(path: string, unused: readonly UnusedMember[], mode: string | undefined): SettingsNotice | undefined {
  const isWide = mode !== undefined && mode !== 'plan' && mode !== 'default';
  const named = unused.map((member) => `${nameOf(member)}${member.reason === undefined ? '' : ` (${member.reason})`}`);
  if (named.length === 0 && !isWide) return undefined;
  const parts = [
    `${path} is in the format of qwen-code.`,
    ...(isWide ? [`It sets the permission mode ${mode}.`] : []),
    ...(named.length > 0 ? [`Members without effect: ${named.join(', ')}.`] : []),
  ];
  return { code: 'unknown_setting', message: parts.join(' ') };
}

function nameOf({ path }: UnusedMember): string {
  return /^[\w.$ -]+$/.test(path) ? path : JSON.stringify(path);
}

/** The rules of an invalid user file; undefined if it may be one of qwen. */
export function readBroken({ path }: SettingsSource, body: string, error: AgentError): ReadForeign | undefined {
  const value = recoverSettings(body);
  const isEmpty = !isJsonObject(value) || Object.keys(value).length === 0;
  // The other program leaves this file in the folder that both share.
  const isTheirs = isEmpty ? existsSync(join(dirname(path), 'installation_id')) : isOfQwenCode(withoutEnv(value));
  if (!isTheirs) return undefined;
  const read = translateSettings(isJsonObject(value) ? value : {}, { origin: 'user', environment: process.env });
  if (!read.ok) return undefined;
  const { deny, ask } = read.settings.permissions ?? {};
  const { coreTools, allowedMcpServers } = read.extra;
  const message = `${error.message} Because qwen-code wrote the file, qwen starts, but only deny and ask rules apply. Fix the file to use the rest.`;
  return {
    ok: true,
    settings: { permissions: { ...(deny !== undefined && { deny }), ...(ask !== undefined && { ask }) } },
    foreign: {
      extra: {
        limits: {},
        ...(coreTools !== undefined && { coreTools }),
        ...(allowedMcpServers !== undefined && { allowedMcpServers }),
      },
      notice: { code: 'settings_skipped', message },
    },
  };
}

/** Other programs have it too. */
function withoutEnv({ env: _env, ...others }: JsonObject): JsonObject {
  return others;
}

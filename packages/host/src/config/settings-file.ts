import { readFileSync, statSync } from 'node:fs';
import { AgentError, type FoundIssue, type Settings } from '@qwen/protocol';
import { checkSettings } from './check-settings.js';
import { isOfQwenCode } from './qwen-code/recognize.js';
import type { ForeignPart, SettingsOrigin } from './settings.js';
import type { TextPosition } from './settings-text.js';

/** Bounds reading a device or an endless file. */
const MAX_BYTES = 1024 * 1024;

export interface SettingsSource {
  readonly origin: SettingsOrigin;
  /** Absolute path; `--settings` for JSON on the command line. */
  readonly path: string;
}

/** Settings, and what only qwen-code's have. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly foreign?: ForeignPart;
}

/**
 * Reads an existing settings file. Rejects with `invalid_settings` and path, member, line and column: unknown rules
 * might forbid something. A file of the user that qwen-code wrote is never rejected.
 */
export async function readSettingsFile(source: SettingsSource): Promise<ReadSettings> {
  return readSettings(source, readText(source.path));
}

export async function parseSettings(source: SettingsSource, text: string): Promise<Settings> {
  return (await readSettings(source, text)).settings;
}

/**
 * Parses settings; comments are allowed. Rejects with `invalid_settings`, whose `data` has `path`, `problem` and, if
 * known, `key`, `line` and `column`.
 */
export async function readSettings(source: SettingsSource, text: string): Promise<ReadSettings> {
  const { path, origin } = source;
  const body = withoutMark(text);
  let json: unknown;
  try {
    json = await parseJson(path, body);
  } catch (error) {
    if (origin !== 'user' || !AgentError.is(error)) throw error;
    const { readBroken } = await import('./qwen-code/read-foreign.js');
    const read = readBroken(source, body, error);
    if (read?.ok === true) return read;
    throw error;
  }
  if (isOfQwenCode(json)) {
    const { readForeign } = await import('./qwen-code/read-foreign.js');
    const read = readForeign(json, source);
    if (read.ok) return read;
    throw await invalidMember(path, body, read.issue);
  }
  const checked = checkSettings(json, origin);
  if (checked.ok) return { settings: checked.settings };
  const [issue] = checked.issues;
  throw await invalidMember(path, body, issue ?? { path: [], problem: 'it does not match the settings schema' });
}

/** Throws `invalid_settings`. */
export function readText(path: string): string {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw invalid(path, 'it is not a file');
    if (stats.size > MAX_BYTES) throw invalid(path, `it is larger than ${MAX_BYTES} bytes`);
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (AgentError.is(cause)) throw cause;
    throw invalid(path, `it cannot be read (${AgentError.from(cause).message})`);
  }
}

/** Windows editors write a byte order mark; JSON parsers reject it. */
export function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** Rejects with `invalid_settings`. */
export async function parseJson(source: string, body: string): Promise<unknown> {
  try {
    return JSON.parse(body);
  } catch {
    // The position-aware parser loads only for files that are not plain JSON.
    const { readSettingsText } = await import('./settings-text.js');
    const read = readSettingsText(body);
    if (read.ok) return read.value;
    throw invalid(source, `it is not valid JSON: ${read.problem}`, { place: read.place });
  }
}

/** `invalid_settings` with the position of the member. `root` names the whole document. */
export async function invalidMember(
  source: string,
  body: string,
  { path, problem, root = 'settings' }: FoundIssue & { readonly root?: string },
): Promise<AgentError> {
  const { findPlace } = await import('./settings-text.js');
  const key = path.join('.');
  return invalid(source, `${[root, ...path].join('.')}: ${problem}`, { key, place: findPlace(body, path) });
}

interface Whereabouts {
  readonly key?: string;
  readonly place?: TextPosition | undefined;
}

function invalid(path: string, problem: string, { key, place }: Whereabouts = {}): AgentError {
  const where = place === undefined ? '' : `, line ${place.line}, column ${place.column}`;
  return new AgentError('invalid_settings', `Invalid settings in ${path}${where}: ${problem}.`, {
    data: { path, problem, ...(key !== undefined && { key }), ...place },
  });
}

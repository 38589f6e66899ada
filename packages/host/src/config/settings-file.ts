import { readFileSync, statSync } from 'node:fs';
import { AgentError, type FoundIssue, type Settings } from '@qwen/protocol';
import { checkSettings } from './check-settings.js';
import type { SettingsOrigin } from './settings.js';
import type { TextPlace } from './settings-text.js';

/** More than anybody writes by hand; a device or an endless file must not hold the start up. */
const MAX_BYTES = 1024 * 1024;

/** Where a settings text comes from. */
export interface SettingsSource {
  readonly origin: SettingsOrigin;
  /** Absolute path of the file; `--settings` for JSON on the command line. */
  readonly path: string;
}

/**
 * Reads a settings file that is there. Whatever is no file that we understand is `invalid_settings`, with the path, the
 * member, the line and the column: rules that we cannot read may forbid something (S51).
 */
export async function readSettingsFile(source: SettingsSource): Promise<Settings> {
  return parseSettings(source, readText(source.path));
}

/**
 * Reads text as settings; comments are let through. Rejects with `invalid_settings`, whose `data` has `path`, `problem`
 * and, where they are known, `key`, `line` and `column`.
 */
export async function parseSettings({ path, origin }: SettingsSource, text: string): Promise<Settings> {
  const body = withoutMark(text);
  const checked = checkSettings(await parseJson(path, body), origin);
  if (checked.ok) return checked.settings;
  const [issue] = checked.issues;
  throw await invalidMember(path, body, issue ?? { path: [], problem: 'it does not fit its schema' });
}

/** The text of a settings file. Throws `invalid_settings` for what is none. */
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

/** Editors of Windows put it in front of a text; no parser takes it. */
export function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** JSON, perhaps with comments. Rejects with `invalid_settings`. */
export async function parseJson(source: string, body: string): Promise<unknown> {
  try {
    return JSON.parse(body);
  } catch {
    // The parser that knows places loads only for files that are more or less than plain JSON.
    const { readSettingsText } = await import('./settings-text.js');
    const read = readSettingsText(body);
    if (read.ok) return read.value;
    throw invalid(source, `it is not JSON: ${read.problem}`, { place: read.place });
  }
}

async function invalidMember(source: string, body: string, { path, problem }: FoundIssue): Promise<AgentError> {
  const { findPlace } = await import('./settings-text.js');
  const key = path.join('.');
  return invalid(source, `${['settings', ...path].join('.')}: ${problem}`, { key, place: findPlace(body, path) });
}

interface Whereabouts {
  readonly key?: string;
  readonly place?: TextPlace | undefined;
}

function invalid(path: string, problem: string, { key, place }: Whereabouts = {}): AgentError {
  const where = place === undefined ? '' : `, at line ${place.line}, column ${place.column}`;
  return new AgentError('invalid_settings', `The settings in ${path} are not understood: ${problem}${where}.`, {
    data: { path, problem, ...(key !== undefined && { key }), ...place },
  });
}

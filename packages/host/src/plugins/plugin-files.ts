import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isInside } from '@qwen/agent/node';
import { AgentError, isJsonObject, type JsonObject } from '@qwen/protocol';
import { parseJson, readText, withoutMark } from '../config/settings-file.js';

/** The real path of something in the folder; undefined if it is missing. Throws `invalid_settings` if it leaves it. */
export function pathIn(folder: string, path: string): string | undefined {
  const inside = resolve(folder, path);
  if (!isInside(inside, folder))
    throw invalidPlugin(folder, `the path ${JSON.stringify(path)} leads out of the folder`);
  if (!existsSync(inside)) return undefined;
  const realPath = realpathSync(inside);
  if (!isInside(realPath, folder)) throw invalidPlugin(folder, `${JSON.stringify(path)} is a link out of the folder`);
  return realPath;
}

/** Undefined if it is missing. Rejects with `invalid_settings`. */
export async function readJsonIn(folder: string, path: string): Promise<JsonObject | undefined> {
  const file = pathIn(folder, path);
  if (file === undefined) return undefined;
  const json = await parseJson(file, withoutMark(readText(file)));
  if (!isJsonObject(json)) throw invalidPlugin(folder, `${path} does not contain a JSON object`);
  return json;
}

export function invalidPlugin(folder: string, problem: string): AgentError {
  const message = `The plugin in ${folder} cannot be loaded: ${problem}. Fix it or remove it (qwen plugins remove).`;
  return new AgentError('invalid_settings', message, { data: { path: folder, problem } });
}

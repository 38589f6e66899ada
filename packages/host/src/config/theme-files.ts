import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError, findIssues, nearestName, THEMES, type ThemeFile, themeFileSchema } from '@qwen/protocol';
import { invalidMember, parseJson, readText, withoutMark } from './settings-file.js';

export interface NamedTheme {
  readonly name: string;
  readonly file?: ThemeFile;
}

function isBuiltInTheme(name: string): name is (typeof THEMES)[number] {
  return THEMES.some((theme) => theme === name);
}

/** Themes come only from the user's folder: a project could make its questions unreadable. */
function themeFolder(configDir: string): string {
  return join(configDir, 'themes');
}

const NAME = /^\w[\w.-]*$/;

/** A file with the name of a built-in theme has no effect. */
export function listThemeFiles(configDir: string): readonly string[] {
  const folder = themeFolder(configDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter((name) => NAME.test(name) && !isBuiltInTheme(name))
    .toSorted();
}

/** Rejects with `invalid_settings`, which names the file and the member. */
export async function readTheme(name: string, configDir: string): Promise<NamedTheme> {
  if (isBuiltInTheme(name)) return { name };
  const path = join(themeFolder(configDir), `${name}.json`);
  if (!NAME.test(name) || !existsSync(path)) throw unknownTheme(name, configDir);
  const text = withoutMark(readText(path));
  const parsed = themeFileSchema.safeParse(await parseJson(path, text));
  if (parsed.success) return { name, file: parsed.data };
  const [issue] = findIssues(parsed.error);
  const found = issue ?? { path: [], problem: 'it does not match the schema of themes' };
  throw await invalidMember(path, text, { ...found, root: 'theme' });
}

function unknownTheme(name: string, configDir: string): AgentError {
  const near = nearestName(name, [...THEMES, ...listThemeFiles(configDir)]);
  const advice = near === undefined ? 'The command /theme lists the themes.' : `Did you mean "${near}"?`;
  const problem = `there is no theme ${JSON.stringify(name)} in ${themeFolder(configDir)}`;
  return new AgentError('invalid_settings', `Invalid setting ui.theme: ${problem}. ${advice}`);
}

import { checkSettings } from '@qwen/host/config/check-settings.js';
import type { ForeignPart } from '@qwen/host/config/settings.js';
import {
  parseJson,
  readSettings,
  readText,
  type SettingsSource,
  withoutMark,
} from '@qwen/host/config/settings-file.js';
import { findSettingsFiles, type SettingsFile } from '@qwen/host/config/settings-files.js';
import { findPlace } from '@qwen/host/config/settings-text.js';
import { describeUnknown } from '@qwen/host/config/unknown-notice.js';
import { findUnknownSettings } from '@qwen/host/config/unknown-settings.js';
import { AgentError, type FoundIssue } from '@qwen/protocol';
import type { Check, Finding } from './finding.js';

/** Reports all errors, not only the first. */
export const checkSettingsFiles: Check = async ({ configDir, cwd }) => {
  const { files } = findSettingsFiles({ configDir, cwd, flags: {} });
  if (files.length === 0) return [{ area: 'settings', level: 'ok', message: 'no settings files found' }];
  return (await Promise.all(files.map(checkFile))).flat();
};

async function checkFile(source: SettingsFile): Promise<readonly Finding[]> {
  const { path } = source;
  try {
    const text = withoutMark(readText(path));
    const { foreign } = await readSettings(source, text).catch(() => ({ foreign: undefined }));
    if (foreign !== undefined) return judgeForeign(source, foreign);
    const found = judge(await parseJson(path, text), source, text);
    return found.length > 0 ? found : [{ area: 'settings', level: 'ok', message: path, path }];
  } catch (thrown) {
    const { message, data } = AgentError.from(thrown);
    const { line, column } = data;
    const place = typeof line === 'number' && typeof column === 'number' ? { line, column } : {};
    return [{ area: 'settings', level: 'error', message, advice: 'Fix the file.', path, ...place }];
  }
}

function judgeForeign({ path }: SettingsSource, { notice }: ForeignPart): readonly Finding[] {
  if (notice === undefined) return [{ area: 'settings', level: 'ok', message: path, path }];
  return [{ area: 'settings', level: 'warning', message: notice.message, path }];
}

function judge(json: unknown, { path, origin }: SettingsSource, text: string): Finding[] {
  const at = (where: FoundIssue['path']) => ({ path, ...findPlace(text, where) });
  const checked = checkSettings(json, origin);
  const issues = checked.ok ? [] : checked.issues;
  return [
    ...issues.map(
      (issue): Finding => ({
        area: 'settings',
        level: 'error',
        message: `${issue.path.join('.') || 'the file'}: ${issue.problem}`,
        advice: 'qwen does not start until then.',
        ...at(issue.path),
      }),
    ),
    ...findUnknownSettings(json).map(
      (unknown): Finding => ({
        area: 'settings',
        level: 'warning',
        message: `unknown member, which has no effect: ${describeUnknown(unknown)}`,
        ...at(unknown.path),
      }),
    ),
  ];
}

import { readFileSync, statSync } from 'node:fs';
import { parseRule } from '@qwen/agent';
import { AgentError, describeIssue, type Settings, settingsSchema } from '@qwen/protocol';
import { compileMatcher } from '../name-matcher.js';

/** More than anybody writes by hand; a device or an endless file must not hold the start up. */
const MAX_BYTES = 1024 * 1024;
const RULE_LISTS = ['allow', 'ask', 'deny'] as const;

/**
 * Reads a settings file that is there. Whatever is no file that we understand is `invalid_settings`, with the path and
 * the place: rules that we cannot read may forbid something (S51).
 */
export function readSettingsFile(path: string): Settings {
  return parseSettings(path, readText(path));
}

/** Reads text as settings; `source` names it in errors. Throws `invalid_settings`. */
export function parseSettings(source: string, text: string): Settings {
  const parsed = settingsSchema.safeParse(parseJson(source, text));
  if (!parsed.success) throw invalid(source, describeIssue('settings', parsed.error));
  const check = (place: string, read: () => unknown): void => {
    try {
      read();
    } catch (thrown) {
      throw invalid(source, `settings.${place}: ${AgentError.from(thrown).message}`);
    }
  };
  const { hooks = {}, permissions = {} } = parsed.data;
  for (const [event, groups] of Object.entries(hooks)) {
    for (const [index, { matcher }] of groups.entries()) {
      check(`hooks.${event}.${index}.matcher`, () => compileMatcher(matcher));
    }
  }
  for (const behavior of RULE_LISTS) {
    for (const [index, rule] of (permissions[behavior] ?? []).entries()) {
      check(`permissions.${behavior}.${index}`, () => parseRule(rule));
    }
  }
  return parsed.data;
}

function readText(path: string): string {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw invalid(path, 'it is not a file');
    if (stats.size > MAX_BYTES) throw invalid(path, `it is larger than ${MAX_BYTES} bytes`);
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw AgentError.is(cause) ? cause : unreadable(path, cause);
  }
}

function parseJson(source: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (thrown) {
    // The message of the parser quotes the text, which may hold a secret; only the place is passed on.
    const [, offset] = /at position (\d+)/.exec(String(thrown)) ?? [];
    const place = offset === undefined ? '' : `, at ${lineAndColumn(text, Number(offset))}`;
    throw invalid(source, `it is not JSON${place}`);
  }
}

function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function unreadable(path: string, cause: unknown): AgentError {
  return invalid(path, `it cannot be read (${AgentError.from(cause).message})`);
}

function invalid(path: string, problem: string): AgentError {
  return new AgentError('invalid_settings', `The settings in ${path} are not understood: ${problem}.`, {
    data: { path, problem },
  });
}

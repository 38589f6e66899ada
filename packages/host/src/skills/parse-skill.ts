import { dirname } from 'node:path';
import { describeIssue } from '@qwen/protocol';
import { parseDocument } from 'yaml';
import * as z from 'zod/mini';

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly isListed: boolean;
  readonly isCommand: boolean;
}

type SkillReading = { readonly ok: true; readonly skill: Skill } | { readonly ok: false; readonly problem: string };

const FILE = /^\ufeff?---[ \t]*\r?\n(?<front>.*?)^---[ \t]*(?:\r?\n(?<text>.*))?$/ms;
const MAX_DESCRIPTION_LENGTH = 1024;

const flag = z.optional(z.union([z.boolean(), z.string()]));
const frontSchema = z.lazy(() =>
  z.looseObject({
    name: z.string().check(z.regex(/^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,63}$/u, 'expected letters, digits, -, _, . and :')),
    description: z.string().check(z.regex(/\S/, 'must not be blank')),
    'disable-model-invocation': flag,
    'user-invocable': flag,
  }),
);

/** Never throws. */
export function parseSkill(text: string, path: string): SkillReading {
  const { front, text: body = '' } = FILE.exec(text)?.groups ?? {};
  if (front === undefined) return { ok: false, problem: 'line 1: expected front matter between two lines of ---' };
  const document = parseDocument(front);
  if (document.errors.length > 0) return { ok: false, problem: 'the front matter is not valid YAML' };
  const parsed = frontSchema.safeParse(toValue(document));
  if (!parsed.success) return { ok: false, problem: describeIssue('front matter', parsed.error) };
  const { name, description } = parsed.data;
  return {
    ok: true,
    skill: {
      name,
      description: description.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_DESCRIPTION_LENGTH),
      path,
      folder: dirname(path),
      text: body.trim(),
      isListed: String(parsed.data['disable-model-invocation'] ?? false) !== 'true',
      isCommand: String(parsed.data['user-invocable'] ?? true) !== 'false',
    },
  };
}

/** Aliases are not expanded: a few lines could exhaust the memory. */
function toValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}

export function describeSkills(skills: readonly Skill[]): string {
  const listed = skills.filter(({ isListed }) => isListed);
  if (listed.length === 0) return '';
  return [
    '# Skills',
    '',
    'Instructions for certain tasks. If a task fits one, read its file before you start, and files that it names, relative to its folder, when you need them.',
    '',
    ...listed.map(({ name, description, path }) => `- ${name} (${path}): ${description}`),
  ].join('\n');
}

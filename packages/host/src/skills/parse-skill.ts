import { basename, dirname } from 'node:path';
import { describeIssue, removeHidden } from '@qwen/protocol';
import { parseDocument } from 'yaml';
import * as z from 'zod/mini';
import type { Skill } from './skill.js';

export interface SkillReading {
  /** Missing if the file cannot be used. */
  readonly skill?: Omit<Skill, 'origin'>;
  readonly problems: readonly string[];
}

const FILE = /^\ufeff?---[ \t]*\r?\n(?<front>.*?)^---[ \t]*(?:\r?\n(?<text>.*))?$/ms;
const MAX_NAME_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 1024;
/** Names are chosen by models and typed after a slash. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u;

const flag = z.optional(z.nullable(z.union([z.boolean(), z.string()])));
const frontSchema = z.lazy(() =>
  z.looseObject({
    name: z.optional(z.nullable(z.union([z.string(), z.number()]))),
    description: z.string().check(z.regex(/\S/, 'must not be blank')),
    'argument-hint': z.optional(z.unknown()),
    'disable-model-invocation': flag,
    'user-invocable': flag,
  }),
);

/** Never throws. Members of other programs are ignored. */
export function parseSkill(text: string, path: string): SkillReading {
  const { front, text: body = '' } = FILE.exec(text)?.groups ?? {};
  if (front === undefined) return unusable('line 1: expected front matter between two lines of ---');
  const value = readYaml(front) ?? readYaml(withQuotedValues(front));
  if (value === undefined) return unusable('the front matter is not valid YAML');
  const parsed = frontSchema.safeParse(value);
  if (!parsed.success) return unusable(describeIssue('front matter', parsed.error));
  const { description, 'argument-hint': hint } = parsed.data;
  const folder = dirname(path);
  const named = String(parsed.data.name ?? '').trim();
  const name = NAME.test(named) ? named : basename(folder);
  if (!NAME.test(name)) return unusable(`${JSON.stringify(name)} is not a valid name`);
  const plain = removeHidden(description).replaceAll(/\s+/g, ' ').trim();
  const problems = [
    ...(named === '' || named === name ? [] : [`${JSON.stringify(named)} is not a valid name; it is called ${name}`]),
    ...(named === name && name !== basename(folder)
      ? [`its name is ${name}, but its folder is ${basename(folder)}`]
      : []),
    ...(name.length > MAX_NAME_LENGTH ? [`its name has more than ${MAX_NAME_LENGTH} characters`] : []),
    ...(plain.length > MAX_DESCRIPTION_LENGTH
      ? [`its description has more than ${MAX_DESCRIPTION_LENGTH} characters; the rest is ignored`]
      : []),
  ];
  return {
    skill: {
      name,
      description: plain.slice(0, MAX_DESCRIPTION_LENGTH),
      path,
      folder,
      text: body.trim(),
      isListed: String(parsed.data['disable-model-invocation'] ?? false) !== 'true',
      isCommand: String(parsed.data['user-invocable'] ?? true) !== 'false',
      ...(typeof hint === 'string' && hint.trim() !== '' && { argumentHint: removeHidden(hint.trim()) }),
    },
    problems,
  };
}

/** Aliases are not expanded: a few lines could exhaust the memory. */
function readYaml(front: string): unknown {
  try {
    const document = parseDocument(front);
    return document.errors.length > 0 ? undefined : (document.toJS({ maxAliasCount: 0 }) ?? {});
  } catch {
    return undefined;
  }
}

/** Quotes values with a colon, which is the usual mistake. */
function withQuotedValues(front: string): string {
  return front.replaceAll(/^([\w-]+:[ \t]+)([^\s"'|>[{&*#].*:.*)$/gm, (_, key: string, value: string) => {
    return `${key}${JSON.stringify(value.trim())}`;
  });
}

function unusable(problem: string): SkillReading {
  return { problems: [problem] };
}

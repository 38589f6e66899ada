import type { SkillSource } from '@qwen/tools';
import { skillResources } from './find-skill-files.js';
import type { Skill } from './skill.js';

/** In characters; more is paid with each model call. */
const MAX_CATALOGUE_LENGTH = 16_000;
const MIN_DESCRIPTION_LENGTH = 40;

/** The part of the system prompt; '' without skills. */
export function describeSkills(skills: readonly Skill[], hasTool: boolean): string {
  const listed = skills.filter(({ isListed }) => isListed);
  if (listed.length === 0) return '';
  const names = listed.reduce((sum, { name, path }) => sum + name.length + path.length, 0);
  const share = Math.floor((MAX_CATALOGUE_LENGTH - names) / listed.length);
  const most = Math.max(MIN_DESCRIPTION_LENGTH, share);
  const how = hasTool
    ? 'load it with the tool skill before you start'
    : 'read its file before you start, and files that it names, relative to its folder, when you need them';
  return [
    `Skills are instructions for certain tasks. If a task fits one, ${how}.`,
    '',
    ...listed.map(({ name, path, description }) => `- ${name} (${path}): ${shortened(description, most)}`),
  ].join('\n');
}

/** What the tool and `/NAME` send. The same skill and arguments give the same text. */
export function skillText({ name, text, folder }: Skill, args: string): string {
  const body = text.replaceAll(/<(\/?)skill_(content|resources)/gi, '&lt;$1skill_$2');
  const takesArguments = body.includes('$ARGUMENTS');
  const resources = skillResources(folder).map((path) => `<file>${path}</file>`);
  return [
    `<skill_content name="${name}">`,
    // A function, because `$&` has a meaning in a replacement text.
    takesArguments ? body.replaceAll('$ARGUMENTS', () => args) : body,
    '',
    `Skill directory: ${folder}`,
    'Relative paths are relative to it.',
    ...(resources.length === 0 ? [] : ['<skill_resources>', ...resources, '</skill_resources>']),
    '</skill_content>',
    ...(takesArguments || args.trim() === '' ? [] : ['', `Arguments: ${args.trim()}`]),
  ].join('\n');
}

export function skillSource(skills: readonly Skill[]): SkillSource {
  const listed = new Map(skills.filter(({ isListed }) => isListed).map((skill) => [skill.name, skill]));
  return {
    names: [...listed.keys()],
    open: async (name, args) => {
      const skill = listed.get(name);
      if (skill === undefined) throw new Error(`no skill ${name}`);
      return { text: skillText(skill, args), path: skill.path };
    },
  };
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

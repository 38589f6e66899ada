import { realPathOf } from '@qwen/agent/node';
import type { SettingsNotice } from '../config/settings.js';
import { findSkillFiles, readSkillText } from './find-skill-files.js';
import { parseSkill } from './parse-skill.js';
import type { Skill, SkillFiles, SkillFolder } from './skill.js';

/** The skills of all places; the first of two with the same name wins. Never throws. */
export function readSkills(places: readonly SkillFolder[]): SkillFiles {
  const skills = new Map<string, Skill>();
  const seen = new Set<string>();
  const notices: SettingsNotice[] = [];
  const report = (message: string) => notices.push({ code: 'invalid_skill', message });
  for (const place of places) {
    // Folders of several programs are often links to one.
    const root = realPathOf(place.folder);
    if (root === undefined || seen.has(root)) continue;
    seen.add(root);
    const found = findSkillFiles(place);
    for (const problem of found.problems) report(problem);
    for (const path of found.paths) {
      const realPath = realPathOf(path) ?? path;
      if (seen.has(realPath)) continue;
      seen.add(realPath);
      const { skill, problems } = readSkill(path, place);
      for (const problem of problems) report(`${path}: ${problem}`);
      if (skill === undefined) continue;
      const first = skills.get(skill.name);
      if (first === undefined) skills.set(skill.name, skill);
      else report(`${path}: the skill ${skill.name} of ${first.path} has the same name and takes precedence`);
    }
  }
  return { skills: [...skills.values()], notices };
}

function readSkill(path: string, { origin, prefix }: SkillFolder) {
  const text = readSkillText(path);
  if (text === undefined) return { problems: ['it is not a readable file, or it is too large'] };
  const { skill, problems } = parseSkill(text, path);
  if (skill === undefined) return { problems };
  const name = prefix === undefined ? skill.name : `${prefix}:${skill.name}`;
  return { skill: { ...skill, name, origin }, problems };
}

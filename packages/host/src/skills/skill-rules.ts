import { realPathOf } from '@qwen/agent/node';
import type { Skill } from './skill.js';

/** Rules that let the model read the files of skills, which may be outside of the workspace, and nothing else. */
export function skillRules(skills: readonly Skill[]): readonly string[] {
  return skills.flatMap(({ folder }) => {
    const path = realPathOf(folder);
    // Other characters have a meaning in rules.
    return path?.startsWith('/') === true && !/[*?[\]{}()!\\]/.test(path) ? [`Read(/${path}/**)`] : [];
  });
}

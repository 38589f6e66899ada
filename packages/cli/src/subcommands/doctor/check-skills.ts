import { loadSettings } from '@qwen/host/config/load-settings.js';
import { NO_SETTINGS } from '@qwen/host/config/settings.js';
import { loadSkills } from '@qwen/host/skills/load-skills.js';
import type { Check, Finding } from './finding.js';

export const checkSkills: Check = async ({ configDir, cwd }) => {
  const settings = await loadSettings({ configDir, cwd, flags: {} }).catch(() => NO_SETTINGS);
  const { skills, notices } = await loadSkills({ configDir, cwd, flags: {}, settings });
  const problems = notices.map(({ message }): Finding => ({ area: 'skills', level: 'warning', message }));
  const found = skills.length === 0 ? 'there are no skills' : skills.map(({ name }) => name).join(', ');
  return [{ area: 'skills', level: 'ok', message: found }, ...problems];
};

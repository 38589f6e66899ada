import type { CommandSource } from '@qwen/commands';
import { textCommand } from '@qwen/commands/node';
import type { Configuration } from '../config/load-config.js';
import { skillText } from '../skills/skill-texts.js';

/** `/NAME` sends the instructions of a skill. */
export function skillCommands({ skillFiles }: Pick<Configuration, 'skillFiles'>): CommandSource {
  const commands = skillFiles.skills
    .filter(({ isCommand }) => isCommand)
    .map((skill) => {
      const { name, description, argumentHint: usage } = skill;
      const text = (args: string) => `Use the skill ${name}.\n\n${skillText(skill, args)}`;
      return textCommand({ name, description, text, ...(usage !== undefined && { usage }) });
    });
  return { list: () => commands };
}

import type { CommandSource } from '@qwen/commands';
import { type FileCommand, textCommand } from '@qwen/commands/node';
import type { Configuration } from '../config/load-config.js';
import { loadSkills } from '../skills/load-skills.js';

/** `/NAME` sends the instructions of a skill. Read once, as the model reads the list at the start. */
export function skillCommands(configuration: Configuration): CommandSource {
  let commands: readonly FileCommand[] | undefined;
  return {
    list: () => {
      commands ??= configuration.readsProjectInstructions
        ? loadSkills(configuration)
            .skills.filter(({ isCommand }) => isCommand)
            .map(({ name, description, folder, text }) =>
              textCommand({ name, description, text: `These are the instructions in ${folder}/SKILL.md:\n\n${text}` }),
            )
        : [];
      return commands;
    },
  };
}

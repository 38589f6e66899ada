import type { Tool } from '@qwen/agent';
import { AgentError, nearestName } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';

/** The instructions of a skill, as the model reads them. */
export interface LoadedSkill {
  readonly text: string;
  /** Absolute, of its `SKILL.md`. */
  readonly path: string;
}

/** The skills that the model may load. */
export interface SkillSource {
  /** Constant during a session, for provider caches. */
  readonly names: readonly string[];
  readonly open: (name: string, args: string) => Promise<LoadedSkill>;
}

export const skillInput = z.lazy(() =>
  z.object({
    skill: z.string(),
    args: z.optional(z.string()),
  }),
);

/** `skill`. Loads instructions; the commands that they name are decided as any other. */
export function skillTool({ names, open }: SkillSource): Tool<z.output<typeof skillInput>> {
  return defineTool({
    name: 'skill',
    description: 'Load the instructions of a skill. If a skill fits the task, load it before you start.',
    input: skillInput,
    moreProperties: {
      skill: { type: 'string', enum: names },
      args: { type: 'string', description: 'What the skill works on.' },
    },
    execute: async ({ skill: name, args = '' }, { isInContext }) => {
      if (!names.includes(name)) throw unknownSkill(name, names);
      const { text, path } = await open(name, args);
      const wasLoaded = isInContext?.(text) === true;
      return {
        content: wasLoaded ? `The instructions of ${name} are in this conversation already. Follow them.` : text,
        structured: { success: true, commandName: name, path, wasLoaded },
      };
    },
  });
}

function unknownSkill(name: string, names: readonly string[]): AgentError {
  const near = nearestName(name, names);
  const advice = near === undefined ? `The skills are: ${names.join(', ')}.` : `Did you mean "${near}"?`;
  return new AgentError('invalid_tool_input', `There is no skill ${JSON.stringify(name)}. ${advice}`);
}

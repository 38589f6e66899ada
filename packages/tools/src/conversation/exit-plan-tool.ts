import type { Tool } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';

/** What `exit_plan_mode` takes. */
export const exitPlanInput = z.lazy(() =>
  z.object({ plan: z.string().check(z.minLength(1), z.describe('Markdown, short.')) }),
);

/**
 * `exit_plan_mode`: presents the plan of the model to the person. A yes ends plan mode, a no leaves it on and tells why;
 * the person may change the plan on the way.
 */
export function exitPlanTool(): Tool<z.output<typeof exitPlanInput>> {
  return defineTool({
    name: 'exit_plan_mode',
    description: 'In plan mode only: shows the user your plan for changes, to go ahead with it. Not for research.',
    input: exitPlanInput,
    isQuestion: true,
    onlyIn: 'plan',
    preview: ({ plan }) => Promise.resolve({ type: 'plan', plan }),
    execute: async ({ plan }, { leavePlanMode, changedInput }) => {
      if (leavePlanMode === undefined) throw new AgentError('tool_failed', 'There is no plan mode here.');
      const mode = leavePlanMode();
      const approved = `The user approved the plan; the mode is ${mode} now. Carry it out.`;
      return {
        content: changedInput === undefined ? approved : `${approved} They changed it, and it reads now:\n\n${plan}`,
        display: { kind: 'plan', message: 'The plan was approved.', plan },
      };
    },
  });
}

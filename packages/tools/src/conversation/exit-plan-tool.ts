import type { Tool } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';

export const exitPlanInput = z.lazy(() =>
  z.object({ plan: z.string().check(z.minLength(1), z.describe('Markdown, short.')) }),
);

/** `exit_plan_mode`. Approval ends plan mode; a denial keeps it. The user may edit the plan. */
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

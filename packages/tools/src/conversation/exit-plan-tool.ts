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
    description: 'Plan mode only: present your plan for changes to the user for approval. Not for research.',
    input: exitPlanInput,
    isQuestion: true,
    onlyIn: 'plan',
    preview: ({ plan }) => Promise.resolve({ type: 'plan', plan }),
    execute: async ({ plan }, { leavePlanMode, changedInput }) => {
      if (leavePlanMode === undefined) throw new AgentError('tool_failed', 'Plan mode is not available.');
      const mode = leavePlanMode();
      const approved = `The user approved the plan. The permission mode is now ${mode}. Carry it out.`;
      return {
        content: changedInput === undefined ? approved : `${approved} The user edited it:\n\n${plan}`,
        display: { kind: 'plan', message: 'The plan was approved.', plan },
        structured: { plan, planWasEdited: changedInput !== undefined },
      };
    },
  });
}

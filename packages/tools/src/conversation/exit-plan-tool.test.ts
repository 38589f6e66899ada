import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { previewOf, runTool } from '../../test/run-tool.js';
import { exitPlanTool } from './exit-plan-tool.js';

const plan = '1. Look\n2. Change';

test('the user sees the plan, and approval ends plan mode', async () => {
  verifies('GAP-02', 'D-29');
  expect(await previewOf(exitPlanTool(), { plan }, { cwd: '/' })).toEqual({ type: 'plan', plan });
  expect(exitPlanTool()).toMatchObject({ isQuestion: true, onlyIn: 'plan', kind: 'read' });
  expect(await runTool(exitPlanTool(), { plan }, { cwd: '/', leavePlanMode: () => 'auto-edit' })).toMatchObject({
    content: 'The user approved the plan. The permission mode is now auto-edit. Carry it out.',
    display: { kind: 'plan', message: 'The plan was approved.', plan },
  });
});

test('the model gets the plan as edited by the user', async () => {
  const changed = { plan: '1. Test' };
  const leavePlanMode = () => 'default' as const;
  const { content } = await runTool(exitPlanTool(), changed, { cwd: '/', leavePlanMode, changedInput: changed });
  expect(content).toContain('The user edited it:\n\n1. Test');
});

import { Conversation } from '../harness/conversation.ts';
import type { Bench } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { TOOL_WORD } from '../model/answers.ts';
import { startModel } from '../model/start.ts';

/** The extra time of a turn with one command, in the sandbox. Baseline: the same turn without it. Needs bubblewrap. */
export const sandbox: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const env = workspace.env(model.baseUrl({ tool: { name: 'run_shell_command', input: { command: 'true' } } }));
  const shared = { cwd: workspace.cwd, env, allowedTools: ['Bash(true)'] };
  await using outside = new Conversation({ ...shared, sandbox: 'off' });
  await using inside = new Conversation({ ...shared, sandbox: 'workspace-write' });
  const turns = await interleave(quick ? 2 : 60, {
    outside: () => outside.ask(TOOL_WORD),
    inside: () => inside.ask(TOOL_WORD),
  });
  const [without, within] = [median(turns.outside), median(turns.inside)];
  return [
    {
      name: 'a command in the sandbox, added',
      value: within - without,
      unit: 'ms',
      baseline: { name: 'its turn without', value: without },
      target: { of: 'value', atMost: 45 },
    },
  ];
};

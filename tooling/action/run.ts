// The last step of `action.yml`: checks who caused the event, runs qwen and reports. Uses Node.js only, because the
// runner checks out this repository without installing it.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkActor } from './check-actor.ts';
import { Inputs, planRun } from './inputs.ts';
import { report } from './report.ts';
import { runAgent } from './run-agent.ts';
import { WorkflowLog } from './workflow-log.ts';

const inputs = new Inputs(process.env['QWEN_ACTION_INPUTS'] ?? '{}');
const log = new WorkflowLog(inputs.secrets, process.env);
try {
  await checkActor(inputs, process.env);
  const run = planRun(inputs, process.env);
  const executionFile = join(process.env['RUNNER_TEMP'] ?? tmpdir(), `qwen-${crypto.randomUUID()}.jsonl`);
  log.setOutput('execution-file', executionFile);
  process.exitCode = report(await runAgent(run, log, executionFile), { inputs, log });
} catch (error) {
  log.setOutput('conclusion', 'failure');
  log.annotate({ level: 'failure', title: 'qwen', message: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}

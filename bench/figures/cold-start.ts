import { CLI_BIN, initialized, takeTurn, toCli } from '../harness/channel.ts';
import { BARE_NODE, LineChild, type Program, wholeProcess } from '../harness/child.ts';
import type { Bench } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

/**
 * From spawn to the first line (the answer to `initialize`) and to the `result` of the prompt sent after it. The
 * compile cache is warm; `no compile cache` is the first start of an installation. An editor sends its own `initialize`.
 */
export const coldStart: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const env = workspace.env(model.baseUrl({}));
  const cli = toCli({ cwd: workspace.cwd, env });
  const agent = { ...cli, args: [CLI_BIN, '--acp'] };
  await openEditorSession(agent, workspace.cwd);
  const samples = await interleave(quick ? 2 : 31, {
    bare: () => wholeProcess(BARE_NODE),
    result: () => toResult(cli),
    firstLine: () => toFirstLine(cli),
    editor: () => toEditor(agent),
    editorUncached: () => toEditor({ ...agent, env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' } }),
    uncached: () => toFirstLine({ ...cli, env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' } }),
  });
  const baseline = { name: 'node -e 0', value: median(samples.bare) };
  return [
    {
      name: 'spawn to first line',
      value: median(samples.firstLine),
      unit: 'ms',
      baseline,
      target: { of: 'ratio', atMost: 2 },
    },
    { name: 'spawn to first line, no compile cache', value: median(samples.uncached), unit: 'ms', baseline },
    {
      name: 'spawn to result of one turn',
      value: median(samples.result),
      unit: 'ms',
      baseline,
      target: { of: 'ratio', atMost: 3 },
    },
    {
      name: 'spawn to the answer for an editor',
      value: median(samples.editor),
      unit: 'ms',
      baseline,
      target: { of: 'ratio', atMost: 3 },
    },
    {
      name: 'spawn to the answer for an editor, no compile cache',
      value: median(samples.editorUncached),
      unit: 'ms',
      baseline,
    },
  ];
};

const toLine = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const INITIALIZE_LINE = toLine(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} });

async function toEditor(agent: Program): Promise<number> {
  const child = new LineChild(agent);
  const answer = child.line();
  child.write(INITIALIZE_LINE);
  await answer;
  const tookMs = performance.now() - child.startedAt;
  await child.end();
  return tookMs;
}

/** Only a process with a session stores its compiled code. */
async function openEditorSession(agent: Program, cwd: string): Promise<void> {
  const child = new LineChild(agent);
  const answer = child.line();
  child.write(INITIALIZE_LINE);
  await answer;
  const commands = child.line((line) => line.includes('available_commands_update'));
  child.write(toLine(1, 'session/new', { cwd, mcpServers: [] }));
  await commands;
  await child.end();
}

async function toFirstLine(cli: Program): Promise<number> {
  const child = await initialized(cli);
  const tookMs = performance.now() - child.startedAt;
  await child.end();
  return tookMs;
}

async function toResult(cli: Program): Promise<number> {
  const child = await initialized(cli);
  await takeTurn(child);
  const tookMs = performance.now() - child.startedAt;
  await child.end();
  return tookMs;
}

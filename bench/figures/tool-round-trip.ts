import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSdkMcpServer, tool } from '@qwen/sdk';
import * as z from 'zod';
import { Conversation } from '../harness/conversation.ts';
import type { Bench, Figure } from '../harness/figure.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace, type Workspace } from '../harness/workspace.ts';
import { type Script, TOOL_WORD } from '../model/answers.ts';
import { type Model, startModel } from '../model/start.ts';
import { timeModelCall } from '../model/time-call.ts';

/**
 * The extra time of a turn with one tool call. One conversation alternates between plain turns and turns with a
 * call. `added` is the difference of the medians: one more model call over loopback, the tool, and our overhead.
 * Baseline: that model call alone. `growth` compares the last fifty pairs with the first fifty: the cost of a longer
 * history.
 */
export const toolRoundTrip: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const pairs = quick ? 4 : 200;
  return [...(await inProcessTool({ workspace, model, pairs })), ...(await readFileTool({ workspace, model, pairs }))];
};

interface Setting {
  readonly workspace: Workspace;
  readonly model: Model;
  readonly pairs: number;
}

async function inProcessTool({ workspace, model, pairs }: Setting): Promise<Figure[]> {
  const script: Script = { tool: { name: 'mcp__bench__add', input: { a: 1, b: 2 } } };
  const add = tool('add', 'Adds two numbers.', { a: z.number(), b: z.number() }, async ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  const baseUrl = model.baseUrl(script);
  await using conversation = new Conversation({
    cwd: workspace.cwd,
    env: workspace.env(baseUrl),
    mcpServers: { bench: createSdkMcpServer({ name: 'bench', tools: [add] }) },
    allowedTools: ['mcp__bench__add'],
  });
  return toFigures('in-process tool', 5, await takePairs(conversation, baseUrl, pairs));
}

async function readFileTool({ workspace, model, pairs }: Setting): Promise<Figure[]> {
  const path = join(workspace.cwd, 'notes.txt');
  await writeFile(path, 'one line of text\n'.repeat(20));
  const baseUrl = model.baseUrl({ tool: { name: 'read_file', input: { file_path: path } } });
  await using conversation = new Conversation({ cwd: workspace.cwd, env: workspace.env(baseUrl) });
  return toFigures('read_file', 4, await takePairs(conversation, baseUrl, pairs));
}

/** Milliseconds of a plain turn, a turn with a tool, and a bare model call. */
interface Pair {
  readonly plain: number;
  readonly withTool: number;
  readonly modelCall: number;
}

async function takePairs(conversation: Conversation, baseUrl: string, count: number): Promise<Pair[]> {
  await conversation.ask(TOOL_WORD);
  const pairs: Pair[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const plain = await conversation.ask('Say a word.');
    const withTool = await conversation.ask(TOOL_WORD);
    pairs.push({ plain, withTool, modelCall: await timeModelCall(baseUrl) });
  }
  return pairs;
}

function toFigures(name: string, atMostMs: number, pairs: readonly Pair[]): Figure[] {
  const span = Math.min(50, Math.ceil(pairs.length / 2));
  const first = added(pairs.slice(0, span));
  const last = added(pairs.slice(-span));
  return [
    {
      name: `${name}, added per turn`,
      value: added(pairs),
      unit: 'ms',
      baseline: { name: 'a model call', value: median(pairs.map((pair) => pair.modelCall)) },
      target: { of: 'value', atMost: atMostMs },
    },
    {
      name: `${name}, last ${span} turns`,
      value: last,
      unit: 'ms',
      baseline: { name: `first ${span}`, value: first },
    },
    { name: `${name}, the plain turn`, value: median(pairs.map((pair) => pair.plain)), unit: 'ms' },
  ];
}

function added(pairs: readonly Pair[]): number {
  return median(pairs.map((pair) => pair.withTool)) - median(pairs.map((pair) => pair.plain));
}

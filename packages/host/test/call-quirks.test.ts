import { type AgentEvent, AgentSession } from '@qwen/agent';
import { createModel } from '@qwen/models';
import { createFakeClock, startByteServer, temporaryFolder } from '@qwen/testkit';
import { builtinTools, createPathResolver } from '@qwen/tools';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import cases from './call-quirks.json' with { type: 'json' };

const rowSchema = z.object({
  name: z.string(),
  /** As the model names it. */
  tool: z.string(),
  /** The text of the arguments; `$FILE` is a file of three lines. */
  arguments: z.string(),
  /** A pattern of the result of the call that ran. */
  result: z.optional(z.string()),
  /** The file afterwards. Default: unchanged. */
  file: z.optional(z.string()),
  /** A pattern of the refusal. */
  refused: z.optional(z.string()),
});
const rows = z.array(rowSchema).parse(cases);

const BEFORE = 'one\ntwo\nthree\n';
const fileOf = (index: number) => `file-${index}.txt`;
const outcomes = new Map<string, { readonly text: string; readonly isError: boolean; readonly file: string }>();

/** All calls in one answer of an endpoint, run by a real session with the real tools. */
beforeAll(async () => {
  await using folder = await temporaryFolder();
  for (const index of rows.keys()) await folder.write(fileOf(index), BEFORE);
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const calls = rows.map((row, index) =>
    chunk({
      tool_calls: [
        {
          index,
          id: `call_${index}`,
          type: 'function',
          function: { name: row.tool, arguments: row.arguments.replaceAll('$FILE', fileOf(index)) },
        },
      ],
    }),
  );
  const headers = { 'content-type': 'text/event-stream' };
  await using server = await startByteServer([
    { headers, chunks: [...calls, chunk({}, 'tool_calls'), 'data: [DONE]\n\n'] },
    { headers, chunks: [chunk({ content: 'done' }), chunk({}, 'stop'), 'data: [DONE]\n\n'] },
  ]);
  const session = new AgentSession({
    sessionId: '6b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a11',
    cwd: folder.path,
    model: 'any',
    createModel: () => createModel({ family: 'openai-compatible', baseUrl: `${server.url}/v1`, apiKey: 'key' }),
    tools: builtinTools(),
    systemPrompt: '',
    permissions: { ask: async () => ({ behavior: 'deny', message: 'Nobody is here.' }) },
    permissionMode: 'yolo',
    rules: { allow: [], ask: [], deny: [] },
    paths: createPathResolver({ roots: [folder.path] }),
    log: { append: async () => {}, close: async () => {} },
    clock: createFakeClock(),
  });
  session.submit({ uuid: 'prompt-1', content: 'go' });
  session.endInput();
  const events: AgentEvent[] = [];
  for await (const event of session.events()) events.push(event);
  for (const event of events) {
    if (event.type !== 'tool_end') continue;
    const { callId, content, isError } = event.outcome;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    outcomes.set(callId, { text, isError, file: await folder.read(fileOf(Number(callId.slice(5)))) });
  }
}, 60_000);

test('the corpus has at least 150 cases with different names', () => {
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(150);
});

test.each([...rows.entries()].map(([index, row]) => ({ ...row, index })))('call: $name', (row) => {
  const outcome = outcomes.get(`call_${row.index}`);
  expect(outcome).toEqual({
    text: expect.stringMatching(new RegExp(row.refused ?? row.result ?? '')),
    isError: row.refused !== undefined,
    file: row.file ?? BEFORE,
  });
});

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  calls,
  isolatedEnvironment,
  type ScriptedModelOptions,
  type ScriptedReply,
  says,
  startByteServer,
  startScriptedModel,
  temporaryFolder,
} from '@qwen/testkit';
import {
  createUIMessageStreamResponse,
  DefaultChatTransport,
  generateText,
  Output,
  parseJsonEventStream,
  readUIMessageStream,
  streamText,
  tool,
  type UIMessage,
  uiMessageChunkSchema,
} from 'ai';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createQwen, type QwenProviderOptions, toUIMessageStream } from '../src/ai/index.js';
import { type QueryOptions, query } from '../src/index.js';

/** The built CLI and a scripted model; the AI SDK is the published package. */
const CLI = fileURLToPath(new URL('../../cli/bin/qwen.js', import.meta.url));

async function openFixture(replies: readonly ScriptedReply[], options?: ScriptedModelOptions) {
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(replies, options);
  const env = isolatedEnvironment(workspace.resolve('home'), model.env);
  const launch: QwenProviderOptions & QueryOptions = { pathToQwenExecutable: CLI, cwd: workspace.path, env };
  return {
    workspace,
    model,
    launch,
    qwen: createQwen(launch)(),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const READ = calls({ name: 'read_file', input: { file_path: 'a.txt' }, id: 'call_1' });

test('generateText returns text, tools that the agent ran, usage and session', async () => {
  await using fixture = await openFixture([READ, says('It says hello.')]);
  await fixture.workspace.write('a.txt', 'hello');
  const result = await generateText({ model: fixture.qwen, system: 'Be brief.', prompt: 'What is in a.txt?' });
  expect(result.text).toBe('It says hello.');
  expect(result.finishReason).toBe('stop');
  expect(result.toolCalls).toMatchObject([
    { toolName: 'read_file', toolCallId: 'call_1', input: { file_path: 'a.txt' }, providerExecuted: true },
  ]);
  expect(result.toolResults).toMatchObject([{ toolCallId: 'call_1', output: expect.stringContaining('hello') }]);
  expect(result.usage.inputTokens).toBeGreaterThan(0);
  expect(result.providerMetadata?.['qwen']).toMatchObject({ sessionId: expect.any(String), steps: 2, denials: [] });
  const [system] = fixture.model.requests[0]?.messages ?? [];
  expect(JSON.stringify(system)).toContain('Be brief.');
});

test('streamText streams text, and an abort ends the agent', async () => {
  await using fixture = await openFixture([says('one two three four five six seven eight nine ten')]);
  const { textStream } = streamText({ model: fixture.qwen, prompt: 'count' });
  const pieces = await collect(textStream);
  expect(pieces.join('')).toBe('one two three four five six seven eight nine ten');
  expect(pieces.length).toBeGreaterThan(1);

  await using slow = await openFixture([says('word '.repeat(2_000))], { tokensPerSecond: 20 });
  const controller = new AbortController();
  const types: string[] = [];
  const { stream } = streamText({ model: slow.qwen, prompt: 'count', abortSignal: controller.signal });
  for await (const { type } of stream) {
    types.push(type);
    if (type === 'text-delta') controller.abort();
  }
  expect(types.at(-1)).toBe('abort');
});

test('a conversation continues by transcript and by session', async () => {
  await using fixture = await openFixture([says('Noted.'), says('It was 7.'), says('Still 7.')]);
  const first = await generateText({ model: fixture.qwen, prompt: 'Remember 7.' });
  const followUp = { role: 'user' as const, content: 'Which number?' };
  const messages = [{ role: 'user' as const, content: 'Remember 7.' }, ...first.response.messages, followUp];
  const second = await generateText({ model: fixture.qwen, messages });
  expect(second.text).toBe('It was 7.');
  expect(JSON.stringify(fixture.model.requests[1]?.messages.at(-1))).toContain('User: Remember 7.');

  const { sessionId: resume } = z.object({ sessionId: z.string() }).parse(first.providerMetadata?.['qwen']);
  await generateText({ model: fixture.qwen, messages, providerOptions: { qwen: { resume } } });
  const resumed = fixture.model.requests[2]?.messages ?? [];
  expect(resumed.filter(({ role }) => role === 'assistant')).toHaveLength(1);
  expect(JSON.stringify(resumed.at(-1))).not.toContain('Remember');
});

test('generateObject returns structured output', async () => {
  await using fixture = await openFixture([calls({ name: 'structured_output', input: { count: 2 } })]);
  const schema = z.object({ count: z.number() });
  const { output } = await generateText({ model: fixture.qwen, prompt: 'count', output: Output.object({ schema }) });
  expect(output).toEqual({ count: 2 });
});

test('settings without effect are reported; tools of the AI SDK and unknown options are refused', async () => {
  await using fixture = await openFixture([says('ok')]);
  const { warnings } = await generateText({ model: fixture.qwen, prompt: 'hi', temperature: 0.2 });
  expect(warnings).toMatchObject([{ type: 'unsupported', feature: 'temperature' }]);
  const quick = await generateText({ model: fixture.qwen, prompt: 'hi', reasoning: 'minimal' });
  expect(quick.warnings).toMatchObject([{ type: 'compatibility', feature: 'reasoning' }]);
  const weather = tool({ inputSchema: z.object({}), execute: () => 'sunny' });
  await expect(generateText({ model: fixture.qwen, prompt: 'hi', tools: { weather } })).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('mcpServers'),
  });
  const providerOptions = { qwen: { resumes: 'x' } };
  await expect(generateText({ model: fixture.qwen, prompt: 'hi', providerOptions })).rejects.toMatchObject({
    code: 'invalid_options',
  });
});

/** A model whose first answer breaks off. */
function startBreakingModel() {
  const chunkOf = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return startByteServer([
    { chunks: [chunkOf({ content: 'Half an ans' })], ending: 'reset' },
    { chunks: [chunkOf({ content: 'The whole answer.' }), chunkOf({}, 'stop'), 'data: [DONE]\n\n'] },
  ]);
}

test('a broken answer that was requested again is omitted, or marked if it was streamed', async () => {
  await using fixture = await openFixture([]);
  await using first = await startBreakingModel();
  const modelAt = (url: string) =>
    createQwen({ ...fixture.launch, env: { ...fixture.launch.env, OPENAI_BASE_URL: `${url}/v1` } })();
  const { text } = await generateText({ model: modelAt(first.url), prompt: 'hi' });
  expect(text).toBe('The whole answer.');
  expect(first.requests).toHaveLength(2);
  await using second = await startBreakingModel();
  const { content } = streamText({ model: modelAt(second.url), prompt: 'hi' });
  expect(await content).toEqual([
    { type: 'text', text: 'Half an ans', providerMetadata: { qwen: { isIncomplete: true } } },
    { type: 'text', text: 'The whole answer.' },
  ]);
});

test('a turn that fails rejects with its error', async () => {
  await using fixture = await openFixture([READ]);
  await expect(
    generateText({ model: createQwen({ ...fixture.launch, budget: { turns: 1 } })(), prompt: 'read' }),
  ).rejects.toMatchObject({ code: 'budget_exceeded', data: { subtype: 'error_budget' } });
});

test('a UI message stream passes the checks of the AI SDK and becomes a message', async () => {
  await using fixture = await openFixture([READ, says('It says hello.')]);
  await fixture.workspace.write('a.txt', 'hello');
  const running = query({ prompt: 'read', options: { ...fixture.launch, includePartialMessages: true } });
  const response = createUIMessageStreamResponse({ stream: toUIMessageStream(running) });
  const body = response.body ?? new ReadableStream();
  const chunks = parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema });
  const checked = chunks.pipeThrough(
    new TransformStream({
      transform: (chunk, controller) => {
        if (!chunk.success) throw chunk.error;
        controller.enqueue(chunk.value);
      },
    }),
  );
  const messages = await collect(readUIMessageStream({ stream: checked }));
  expect(messages.at(-1)).toMatchObject({
    role: 'assistant',
    metadata: { sessionId: expect.any(String), usage: { outputTokens: {} } },
    parts: [
      { type: 'step-start' },
      {
        type: 'dynamic-tool',
        toolName: 'read_file',
        state: 'output-available',
        output: expect.stringContaining('hello'),
      },
      { type: 'step-start' },
      { type: 'text', text: 'It says hello.', state: 'done' },
    ],
  });
});

test('the transport of useChat reads a response over HTTP; details of errors stay on the server', async () => {
  await using fixture = await openFixture([READ]);
  const respond = async (outgoing: ServerResponse) => {
    const running = query({ prompt: 'read', options: { ...fixture.launch, budget: { turns: 1 } } });
    const response = createUIMessageStreamResponse({ stream: toUIMessageStream(running) });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const bytes of response.body ?? []) outgoing.write(bytes);
    outgoing.end();
  };
  const server = createServer((_request, outgoing) => void respond(outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const transport = new DefaultChatTransport<UIMessage>({ api: `http://127.0.0.1:${port}/chat` });
  const messages: UIMessage[] = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'read' }] }];
  const asked = {
    trigger: 'submit-message',
    chatId: 'c',
    messageId: undefined,
    messages,
    abortSignal: undefined,
  } as const;
  const chunks = await collect(await transport.sendMessages(asked));
  server.closeAllConnections();
  server.close();
  expect(chunks[0]).toEqual({ type: 'start' });
  expect(chunks.slice(-2)).toMatchObject([
    { type: 'error', errorText: 'An error occurred.' },
    { type: 'finish', finishReason: 'error' },
  ]);
});

test('cancelling a stream ends the agent', async () => {
  await using fixture = await openFixture([says('word '.repeat(2_000))], { tokensPerSecond: 20 });
  const running = query({ prompt: 'count', options: { ...fixture.launch, includePartialMessages: true } });
  const reader = toUIMessageStream(running).getReader();
  await reader.read();
  await reader.cancel();
  expect(running.isClosed()).toBe(true);
  expect(await running.closed).toMatchObject({ exitCode: 0 });
});

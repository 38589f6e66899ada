import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';

const requestSchema = z.looseObject({
  stream: z.optional(z.boolean()),
  tools: z.optional(z.array(z.unknown())),
  messages: z.array(z.looseObject({ role: z.string(), content: z.optional(z.unknown()) })),
});
const commandSchema = z.object({ tool: z.string(), input: z.unknown() });

export interface ScriptedModel extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when a prompt that contains `HANG` arrives. */
  readonly hanging: Promise<void>;
  /** Texts of tool results that the model received. */
  readonly toolResults: readonly string[];
  /** The messages of the last request with tools, as JSON. */
  readonly lastRequest: string;
}

/** A prompt with this command makes the model call a tool. */
export const callTool = (tool: string, input: unknown): string => `CALL ${JSON.stringify({ tool, input })} END`;

/**
 * An OpenAI-compatible model on loopback. It repeats what a prompt says in `SAY(…)`, calls the tool of `callTool`, and
 * never answers `HANG`.
 */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const hanging = Promise.withResolvers<void>();
  const toolResults: string[] = [];
  let lastRequest = '';
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const parsed = z.safeParse(requestSchema, JSON.parse((await text(request)) || '{}'));
      if (!parsed.success) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}');
        return;
      }
      const { messages, stream, tools } = parsed.data;
      const { role = '', content } = messages.at(-1) ?? {};
      if (role === 'tool') toolResults.push(JSON.stringify(content));
      if (tools !== undefined) lastRequest = JSON.stringify(messages);
      // Some agents ask for a title or for memories besides.
      const delta = tools === undefined ? { content: 'Nothing.' } : replyTo(role, content);
      if (delta === undefined) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        hanging.resolve();
        return;
      }
      const reason = 'tool_calls' in delta ? 'tool_calls' : 'stop';
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      const shared = { id: 'c1', created: 0, model: 'scripted' };
      if (stream !== true) {
        const message = { role: 'assistant', content: null, ...delta };
        const body = {
          ...shared,
          object: 'chat.completion',
          choices: [{ index: 0, message, finish_reason: reason }],
          usage,
        };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (choice: object, more: object = {}) =>
        response.write(
          `data: ${JSON.stringify({ ...shared, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], ...more })}\n\n`,
        );
      send({ delta: { role: 'assistant', ...delta }, finish_reason: null });
      send({ delta: {}, finish_reason: reason }, { usage });
      response.end('data: [DONE]\n\n');
    };
    answer().catch((thrown: unknown) => response.destroy(thrown instanceof Error ? thrown : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_API_KEY: 'sk-conformance',
      OPENAI_MODEL: 'scripted',
    },
    hanging: hanging.promise,
    toolResults,
    get lastRequest() {
      return lastRequest;
    },
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

let callCount = 0;

/** The last command of the message, as some agents join prompts; undefined for `HANG`. */
function replyTo(role: string, content: unknown): { content: string } | { tool_calls: object[] } | undefined {
  if (role === 'tool') return { content: 'The tool has answered.' };
  const commands = textOf(content).matchAll(/HANG|SAY\((?<words>.*?)\)|CALL (?<call>\{.*?\}) END/g);
  const last = [...commands].at(-1);
  if (last?.[0] === 'HANG') return undefined;
  const { words = 'Hello.', call } = last?.groups ?? {};
  if (call === undefined) return { content: words };
  const { tool, input } = z.parse(commandSchema, JSON.parse(call));
  callCount += 1;
  const wanted = { name: tool, arguments: JSON.stringify(input) };
  return { tool_calls: [{ index: 0, id: `call_${callCount}`, type: 'function', function: wanted }] };
}

/** A content is a string or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('\n') : '';
}

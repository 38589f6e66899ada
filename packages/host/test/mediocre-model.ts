import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

interface Flaw {
  readonly name: string;
  readonly answer: (call: Call) => readonly object[];
  /** The connection is reset after the first chunk. */
  readonly isReset?: boolean;
}

export interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Fault {
  readonly name: string;
  readonly send: (response: ServerResponse) => void;
}

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
});

const callChunk = (name: string, json: string): object =>
  chunk({
    tool_calls: [
      { index: 0, id: `call_${crypto.randomUUID()}`, type: 'function', function: { name, arguments: json } },
    ],
  });

const plainCall = ({ name, input }: Call): readonly object[] => [
  callChunk(name, JSON.stringify(input)),
  chunk({}, 'tool_calls'),
];

const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Fault['send'] =>
  function send(response) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message } }));
  };

/** What a provider may do instead of an answer. */
export const FAULTS: readonly Fault[] = [
  { name: '429', send: refusal(429, 'slow down', { 'retry-after': '30' }) },
  { name: '503', send: refusal(503, 'overloaded') },
  { name: 'reset', send: (response) => response.socket?.resetAndDestroy() },
  { name: '502 as a page', send: (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>') },
  { name: '529', send: refusal(529, 'overloaded') },
  {
    name: 'error in the stream',
    send: (response) => response.end('data: {"error":{"message":"down","code":503}}\n\n'),
  },
];

export const OVERFLOW: Fault = {
  name: 'overflow',
  send: refusal(400, "This model's maximum context length is 32768 tokens."),
};

/** How a model may get a call wrong, or an answer may break. */
export const FLAWS: readonly Flaw[] = [
  { name: 'none', answer: plainCall },
  {
    name: 'half a call',
    isReset: true,
    answer: ({ name, input }) => [callChunk(name, JSON.stringify(input).slice(0, -9))],
  },
  { name: 'a foreign name', answer: ({ name, input }) => plainCall({ name: `functions.${name}`, input }) },
  { name: 'empty', answer: () => [chunk({ content: '' }), chunk({}, 'stop')] },
  {
    name: 'as text',
    answer: ({ name, input }) => [
      chunk({ content: `I continue.\n<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>` }),
      chunk({}, 'stop'),
    ],
  },
  {
    name: 'a trailing comma',
    answer: ({ name, input }) => [callChunk(name, JSON.stringify(input).replace(/\}$/, ',}')), chunk({}, 'tool_calls')],
  },
  {
    name: 'no end',
    isReset: true,
    answer: plainCall.bind(undefined, { name: 'list_directory', input: { path: '.' } }),
  },
  { name: 'an unknown tool', answer: ({ input }) => plainCall({ name: 'frobnicate', input }) },
  { name: 'only reasoning', answer: () => [chunk({ reasoning_content: 'What now?' }), chunk({}, 'stop')] },
  { name: 'wrong arguments', answer: ({ name }) => plainCall({ name, input: { file: 7 } }) },
  {
    name: 'null for absent',
    answer: ({ name, input }) => plainCall({ name, input: { ...input, timeout: null, replace_all: null } }),
  },
  {
    name: 'cut at the limit',
    answer: ({ name, input }) => [callChunk(name, JSON.stringify(input).slice(0, -5)), chunk({}, 'length')],
  },
  {
    name: 'encoded twice',
    answer: ({ name, input }) => [callChunk(name, JSON.stringify(JSON.stringify(input))), chunk({}, 'tool_calls')],
  },
];

/** In bytes of a request. */
const LONG = 40_000;

interface TaskModel extends AsyncDisposable {
  readonly url: string;
  /** How often each fault and flaw happened. */
  readonly seen: ReadonlyMap<string, number>;
  /** The body of the last request that asked for no summary. */
  readonly lastRequest: () => string;
}

const toEvent = (payload: object): string => `data: ${JSON.stringify(payload)}\n\n`;
const toEvents = (payloads: readonly object[]): string => `${payloads.map(toEvent).join('')}data: [DONE]\n\n`;

/**
 * A model that does a task call by call, with a flaw in most answers, at a provider with a fault at every fourth
 * request. No call: the task is done.
 */
export async function startTaskModel(nextCall: () => Promise<Call | undefined>): Promise<TaskModel> {
  const seen = new Map<string, number>();
  const note = <T extends { readonly name: string }>(one: T): T => {
    seen.set(one.name, (seen.get(one.name) ?? 0) + 1);
    return one;
  };
  let [requests, answers, faults, last] = [0, 0, 0, ''];
  const nextFault = (body: string): Fault => {
    // Providers refuse as too long only what is long.
    const isOverflow = body.length > LONG && faults % 3 === 0;
    faults += 1;
    return isOverflow ? OVERFLOW : (FAULTS[faults % FAULTS.length] ?? OVERFLOW);
  };
  async function answer(body: string, response: ServerResponse): Promise<void> {
    requests += 1;
    if (requests % 4 === 0) return note(nextFault(body)).send(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (body.includes('<transcript>')) {
      response.end(toEvents([chunk({ content: 'The parts are in progress.' }), chunk({}, 'stop')]));
      return;
    }
    last = body;
    const call = await nextCall();
    if (call === undefined) {
      response.end(toEvents([chunk({ content: 'All parts are done.' }), chunk({}, 'stop')]));
      return;
    }
    const flaw = note(FLAWS[answers++ % FLAWS.length] ?? { name: 'none', answer: plainCall });
    const chunks = flaw.answer(call);
    const [first = {}] = chunks;
    if (flaw.isReset === true) response.write(toEvent(first), () => response.socket?.resetAndDestroy());
    else response.end(toEvents(chunks));
  }
  const server = createServer((request, response) => {
    text(request)
      .then((body) => answer(body, response))
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    seen,
    lastRequest: () => last,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

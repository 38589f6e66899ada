// A chat: one session that gets messages over time, is interrupted, changes its mode, and reports what it cost.
import {
  AbortError,
  type Options,
  type PermissionMode,
  type Query,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from '@qwen/sdk';

class MessageQueue {
  readonly #messages: SDKUserMessage[] = [];
  #wake: (() => void) | null = null;
  #closed = false;

  push(text: string): void {
    this.#messages.push({
      type: 'user',
      message: { role: 'user', content: text },
      parent_tool_use_id: null,
      session_id: '',
    });
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage, void> {
    for (;;) {
      const next = this.#messages.shift();
      if (next !== undefined) yield next;
      else if (this.#closed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

interface Report {
  sessionId: string | null;
  model: string;
  tools: string[];
  servers: string[];
  texts: string[];
  results: string[];
  seconds: number;
  turns: number;
  tokens: number;
}

function describe(message: SDKResultMessage): string {
  switch (message.subtype) {
    case 'success':
      return `ok: ${message.result}`;
    case 'error_max_turns':
      return 'too many turns';
    case 'error_during_execution':
    case 'error_max_budget_usd':
      return 'failed';
    default: {
      const errors = 'errors' in message ? message.errors : [];
      return `failed: ${errors?.join('; ')}`;
    }
  }
}

function read(message: SDKMessage, report: Report): void {
  if (message.type === 'system' && message.subtype === 'init') {
    report.sessionId = message.session_id;
    report.model = `${message.model} in ${message.permissionMode}`;
    report.tools = message.tools;
    report.servers = message.mcp_servers.map(({ name, status }) => `${name}: ${status}`);
  } else if (message.type === 'assistant') {
    for (const block of message.message.content) {
      if (block.type === 'text') report.texts.push(block.text);
      if (block.type === 'tool_use') report.texts.push(`[${block.name}] ${JSON.stringify(block.input)}`);
    }
  } else if (message.type === 'result') {
    report.results.push(describe(message));
    report.seconds += message.duration_ms / 1000;
    report.turns += message.num_turns;
    report.tokens += message.usage.input_tokens + message.usage.output_tokens;
    for (const usage of Object.values(message.modelUsage ?? {})) report.tokens += usage.cacheReadInputTokens;
  }
}

/** Sends the texts one after the other, each after the result of the one before. */
export async function chat(texts: readonly string[], options: Options): Promise<Report> {
  const queue = new MessageQueue();
  const abortController = new AbortController();
  const mode: PermissionMode = 'default';
  const running: Query = query({
    prompt: queue,
    options: { permissionMode: mode, abortController, maxTurns: 20, includePartialMessages: true, ...options },
  });
  const report: Report = {
    sessionId: null,
    model: '',
    tools: [],
    servers: [],
    texts: [],
    results: [],
    seconds: 0,
    turns: 0,
    tokens: 0,
  };
  const waiting = [...texts];
  const sendNext = (): void => {
    const next = waiting.shift();
    if (next === undefined) queue.close();
    else queue.push(next);
  };
  sendNext();
  let streamed = '';
  try {
    for await (const message of running) {
      if (message.type === 'stream_event') {
        if (message.event.type === 'content_block_delta' && message.event.delta.type === 'text_delta') {
          streamed += message.event.delta.text;
        }
        continue;
      }
      read(message, report);
      if (message.type !== 'result') continue;
      await running.setPermissionMode('acceptEdits');
      await running.setModel(undefined);
      sendNext();
    }
  } catch (error) {
    if (!(error instanceof AbortError)) throw error;
  }
  await running.return(undefined);
  report.texts.push(`streamed: ${streamed}`);
  return report;
}

// An inbox assistant: a browser sends lines over a socket, the agent searches and archives mails with tools of the app.
// Run: node inbox.ts < lines-of-json
import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import {
  createSdkMcpServer,
  type Options,
  type Query,
  query,
  type SDKMessage,
  type SDKUserMessage,
  tool,
} from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

interface Mail {
  id: string;
  from: string;
  subject: string;
  archived: boolean;
}

const mails: Mail[] = [
  { id: 'm1', from: 'ann@example.org', subject: 'Invoice 12', archived: false },
  { id: 'm2', from: 'bob@example.org', subject: 'Lunch on Friday?', archived: false },
  { id: 'm3', from: 'shop@example.org', subject: 'Invoice 13', archived: false },
];

const searchInbox = tool(
  'search_inbox',
  'Search mails by words of the subject.',
  { words: z.string(), limit: z.number().int().positive().default(10) },
  async ({ words, limit }) => {
    const found = mails.filter((mail) => mail.subject.toLowerCase().includes(words.toLowerCase()) && !mail.archived);
    return { content: [{ type: 'text', text: JSON.stringify(found.slice(0, limit)) }] };
  },
  { annotations: { readOnlyHint: true, title: 'Search the inbox' } },
);

const archive = tool(
  'archive',
  'Archive one mail.',
  { id: z.enum(['m1', 'm2', 'm3']).describe('The id of the mail'), reason: z.string().optional() },
  async ({ id }) => {
    const mail = mails.find((candidate) => candidate.id === id);
    if (!mail) return { content: [{ type: 'text', text: `No mail ${id}.` }], isError: true };
    mail.archived = true;
    return { content: [{ type: 'text', text: `Archived ${mail.subject}.` }] };
  },
  { annotations: { destructiveHint: true, idempotentHint: true } },
);

/** Prompts of one client, in order. */
class PromptQueue implements AsyncIterable<SDKUserMessage> {
  private waiting: SDKUserMessage[] = [];
  private wake: (() => void) | undefined;
  private ended = false;

  push(content: string): void {
    this.waiting.push({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<SDKUserMessage> {
    while (true) {
      const next = this.waiting.shift();
      if (next) yield next;
      else if (this.ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    }
  }
}

/** One conversation, which broadcasts what happens to its subscribers. */
class Session extends EventEmitter {
  private readonly prompts = new PromptQueue();
  private readonly running: Query;
  private sessionId: string | null = null;

  constructor(options: Options) {
    super();
    this.running = query({ prompt: this.prompts, options });
    void this.read();
  }

  send(text: string): void {
    this.prompts.push(text);
  }

  close(): void {
    this.prompts.end();
  }

  private async read(): Promise<void> {
    try {
      for await (const message of this.running) this.broadcast(message);
      this.emit('event', { type: 'closed', sessionId: this.sessionId });
    } catch (error) {
      this.emit('event', { type: 'error', error: String(error) });
    }
  }

  private broadcast(message: SDKMessage): void {
    switch (message.type) {
      case 'system':
        if (message.subtype === 'init') {
          this.sessionId = message.session_id;
          const servers = message.mcp_servers.map((server) => `${server.name} ${server.status}`);
          this.emit('event', {
            type: 'ready',
            servers,
            tools: message.tools.filter((name) => name.startsWith('mcp__')),
          });
        }
        break;
      case 'assistant':
        for (const block of message.message.content) {
          if (block.type === 'text') this.emit('event', { type: 'text', text: block.text });
          if (block.type === 'tool_use') this.emit('event', { type: 'tool', name: block.name, input: block.input });
        }
        break;
      case 'user':
        if (Array.isArray(message.message.content)) {
          for (const block of message.message.content) {
            if (block.type === 'tool_result')
              this.emit('event', { type: 'tool_result', failed: block.is_error === true });
          }
        }
        break;
      case 'result': {
        const cost = typeof message.total_cost_usd === 'number' ? message.total_cost_usd.toFixed(4) : 'unknown';
        const event = { type: 'result', ok: message.subtype === 'success', turns: message.num_turns, cost };
        this.emit('event', event);
        break;
      }
    }
  }
}

const session = new Session({
  systemPrompt: 'You help with an inbox. Archive nothing without being asked.',
  mcpServers: { inbox: createSdkMcpServer({ name: 'inbox', version: '1.0.0', tools: [searchInbox, archive] }) },
  allowedTools: ['mcp__inbox__search_inbox', 'mcp__inbox__archive'],
  disallowedTools: ['Bash', 'Write', 'Edit'],
  maxTurns: 20,
  settingSources: [],
});

const socket = createInterface({ input: process.stdin });
const lines: string[] = [];
let busy = false;
const sendNext = (): void => {
  if (busy) return;
  const line = lines.shift();
  if (line === undefined) return;
  const { type, text } = JSON.parse(line) as { type: 'chat' | 'close'; text?: string };
  if (type === 'close') session.close();
  else {
    busy = true;
    session.send(text ?? '');
  }
};
socket.on('line', (line) => {
  lines.push(line);
  sendNext();
});
session.on('event', (event: { type: string }) => {
  console.log(JSON.stringify(event));
  if (event.type === 'result') {
    busy = false;
    sendNext();
  }
  if (event.type === 'closed') console.log(JSON.stringify({ archived: mails.filter((mail) => mail.archived).length }));
});

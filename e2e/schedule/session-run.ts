import { fileURLToPath } from 'node:url';
import { AsyncQueue } from '@qwen/protocol';
import {
  type CallToolResult,
  createSdkMcpServer,
  type PermissionResult,
  ProcessTransport,
  type Query,
  query,
  type SDKUserMessage,
  tool,
} from '@qwen/sdk';
import { HeldCalls } from './held-calls.ts';
import { Ledger, LedgerTransport } from './ledger.ts';
import type { Random } from './random.ts';

const CLI = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));
const FLAGS = ['--input-format=stream-json', '--output-format=stream-json', '--channel=SDK', '--approval-mode=default'];

/** Concurrent prompts and verbs; more are skipped. */
const MAX_UNANSWERED = 6;
const MAX_VERBS = 24;

/** What one step may be, and how often it is. */
const STEPS = {
  prompt: 6,
  setModel: 9,
  setPermissionMode: 9,
  interrupt: 4,
  supportedCommands: 14,
  mcpServerStatus: 14,
  answerPermission: 10,
  answerTool: 8,
  pauseReading: 3,
  resumeReading: 9,
  letThingsHappen: 14,
} as const;

/** What the prompts ask of the scripted model; see the schedule's `script`. */
const ERRANDS = ['say', 'write', 'write', 'fast', 'slow', 'slow', 'broken', 'stream'] as const;

const DENY: PermissionResult = { behavior: 'deny', message: 'no' };
const DONE: CallToolResult = { content: [{ type: 'text', text: 'done' }] };

export interface SessionRunOptions {
  readonly random: Random;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** One session under a random schedule: it makes steps, and at the end accounts for every one of them. */
export class SessionRun {
  readonly ledger = new Ledger();
  readonly pid: Promise<number | undefined>;
  readonly #random: Random;
  readonly #query: Query;
  readonly #prompts = new AsyncQueue<SDKUserMessage>();
  readonly #permissions = new HeldCalls<PermissionResult>();
  readonly #tools = new HeldCalls<CallToolResult>();
  readonly #verbs = new Set<Promise<unknown>>();
  readonly #reading: Promise<void>;
  #mayRead = Promise.withResolvers<void>();
  #promptCount = 0;
  #resultCount = 0;

  constructor({ random, cwd, env }: SessionRunOptions) {
    this.#random = random;
    this.#mayRead.resolve();
    const transport = new ProcessTransport({ command: process.execPath, args: [CLI, ...FLAGS], env, cwd });
    this.#query = query({
      prompt: this.#prompts,
      options: {
        transport: new LedgerTransport(transport, this.ledger),
        timeout: { canUseTool: 0, mcpRequest: 0 },
        mcpServers: { app: this.#server() },
        canUseTool: (_name, input, { signal }) => this.#judge(input, signal),
      },
    });
    this.pid = this.#query.initialized.then(() => this.#query.pid);
    this.#reading = this.#read();
    // Whatever awaits the end reports a failure.
    this.#reading.catch(() => undefined);
  }

  /** Prompts that were sent, and results that came. */
  get counts(): { readonly prompts: number; readonly results: number } {
    return { prompts: this.#promptCount, results: this.#resultCount };
  }

  /** Makes one step. Waits for nothing but, now and then, one turn of the event loop. */
  async step(): Promise<void> {
    const random = this.#random;
    switch (random.weighted(STEPS)) {
      case 'prompt':
        this.#prompt(random.pick(ERRANDS));
        break;
      case 'setModel':
        this.#ask(() => this.#query.setModel(random.pick(['scripted', 'other', null])));
        break;
      case 'setPermissionMode':
        this.#ask(() => this.#query.setPermissionMode(random.pick(['default', 'plan', 'auto-edit', 'yolo'])));
        break;
      case 'interrupt':
        this.#ask(() => this.#query.interrupt());
        break;
      case 'supportedCommands':
        this.#ask(() => this.#query.supportedCommands());
        break;
      case 'mcpServerStatus':
        this.#ask(() => this.#query.mcpServerStatus());
        break;
      case 'answerPermission':
        this.#answerPermission();
        break;
      case 'answerTool':
        if (random.below(4) === 0) this.#tools.fail('the tool broke');
        else this.#tools.release(DONE);
        break;
      case 'pauseReading':
        this.#mayRead.resolve();
        this.#mayRead = Promise.withResolvers();
        break;
      case 'resumeReading':
        this.#mayRead.resolve();
        break;
      case 'letThingsHappen':
        // One round trip, or one turn of the event loop.
        await (random.below(2) === 0 ? this.#query.supportedCommands().catch(() => undefined) : nextTurn());
        break;
    }
    if (this.#verbs.size >= MAX_VERBS) await Promise.race(this.#verbs);
  }

  /** Lets everything go that was held, and waits for the end: every prompt answered, every verb settled. */
  async finish(): Promise<void> {
    this.#permissions.open(DENY);
    this.#tools.open(DONE);
    this.#mayRead.resolve();
    this.#prompts.end();
    await this.#reading;
    await Promise.all(this.#verbs);
  }

  /** Ends it in the middle of things. Verbs under way must settle all the same. */
  async breakOff(): Promise<void> {
    this.#mayRead.resolve();
    await this.#query.close({ graceMs: 0 });
    await this.#reading;
    await Promise.all(this.#verbs);
  }

  #prompt(task: string): void {
    if (this.#promptCount - this.#resultCount >= MAX_UNANSWERED) return;
    this.#promptCount += 1;
    this.#prompts.push({ type: 'user', message: { role: 'user', content: `task: ${task}` } });
  }

  /** A verb may be refused; it may not stay open. */
  #ask(verb: () => Promise<unknown>): void {
    const settled = verb().catch(() => undefined);
    this.#verbs.add(settled);
    void settled.finally(() => this.#verbs.delete(settled));
  }

  #judge(updatedInput: Record<string, unknown>, signal: AbortSignal): PermissionResult | Promise<PermissionResult> {
    switch (this.#random.weighted({ allow: 3, deny: 1, stop: 1, throw: 1, hold: 4 })) {
      case 'allow':
        return { behavior: 'allow', updatedInput };
      case 'deny':
        return DENY;
      case 'stop':
        return { behavior: 'deny', message: 'stop', interrupt: true };
      case 'throw':
        throw new Error('the dialog broke');
      case 'hold':
        return this.#permissions.hold(DENY, signal);
    }
  }

  #answerPermission(): void {
    const random = this.#random;
    if (random.below(5) === 0) this.#permissions.fail('the dialog broke late');
    else this.#permissions.release(random.pick([{ behavior: 'allow' }, { behavior: 'allow' }, DENY]));
  }

  #server() {
    const broken = (): never => {
      throw new Error('the tool broke at once');
    };
    return createSdkMcpServer({
      name: 'app',
      tools: [
        tool('fast', 'Answers at once.', {}, () => DONE),
        tool('slow', 'Answers when it is let.', {}, (_input, { signal }) => this.#tools.hold(DONE, signal)),
        tool('broken', 'Throws.', {}, broken),
      ],
    });
  }

  async #read(): Promise<void> {
    for await (const message of this.#query) {
      if (message.type === 'result') this.#resultCount += 1;
      await this.#mayRead.promise;
    }
  }
}

import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CONTROL_REQUESTS, readFrame } from '@qwen/protocol';
import * as z from 'zod/mini';
import { expectEqual, type Report } from './report.js';

const CLI = fileURLToPath(new URL('./scripted-cli.js', import.meta.url));
const LIMIT_MS = 30_000;
const RESUMED = '22222222-3333-4444-8555-666666666666';

export interface SdkTarget {
  /** A package name, or the path of a file. */
  readonly module: string;
  readonly folder: string;
  /** The option of `query()` that takes the path of the CLI. */
  readonly pathOption: string;
}

type Message = Readonly<Record<string, unknown>>;
interface RunningQuery extends AsyncIterable<Message> {
  readonly interrupt?: () => Promise<unknown>;
}
type QueryFunction = (parameters: { readonly prompt: unknown; readonly options: object }) => RunningQuery;

const moduleSchema = z.object({ query: z.custom<QueryFunction>((value) => typeof value === 'function') });
const entrySchema = z.object({
  line: z.optional(z.record(z.string(), z.unknown())),
  answer: z.optional(
    z.looseObject({ response: z.looseObject({ subtype: z.string(), response: z.optional(z.unknown()) }) }),
  ),
  end: z.optional(z.boolean()),
  args: z.optional(z.array(z.string())),
});

const userMessage = (content: string) => ({
  type: 'user',
  session_id: '',
  message: { role: 'user', content },
  parent_tool_use_id: null,
});

interface RunOptions {
  readonly options?: object | undefined;
  readonly onMessage?: (message: Message, running: RunningQuery) => void;
}

/** Runs queries of the SDK with the scripted CLI. */
class SdkRunner {
  readonly #place: SdkTarget;
  #query: QueryFunction | undefined;
  #runs = 0;

  constructor(place: SdkTarget) {
    this.#place = place;
  }

  async load(): Promise<void> {
    const { module } = this.#place;
    const isPath = /^[./]/.test(module) || statSync(module, { throwIfNoEntry: false })?.isFile() === true;
    const path = isPath ? resolve(module) : createRequire(join(process.cwd(), 'x.js')).resolve(module);
    this.#query = z.parse(moduleSchema, await import(pathToFileURL(path).href)).query;
  }

  /** Resolves with the messages and the error of the query, and with what the scripted CLI recorded. */
  async run(scenario: string, prompt: unknown, { options = {}, onMessage }: RunOptions = {}) {
    const query = this.#query;
    if (query === undefined) throw new Error('not loaded');
    const { folder, pathOption } = this.#place;
    this.#runs += 1;
    const file = join(folder, `record-${this.#runs}.jsonl`);
    const env = { ...process.env, QWEN_CONFORMANCE_SCENARIO: scenario, QWEN_CONFORMANCE_RECORD: file };
    const messages: Message[] = [];
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => limit.reject(new Error(`the query did not end within ${LIMIT_MS / 1000} s`)),
      LIMIT_MS,
    );
    const read = async (): Promise<unknown> => {
      try {
        const running = query({ prompt, options: { cwd: folder, env, [pathOption]: CLI, ...options } });
        for await (const message of running) {
          messages.push(message);
          onMessage?.(message, running);
        }
        return undefined;
      } catch (thrown) {
        return thrown;
      }
    };
    const error = await Promise.race([read(), limit.promise]).finally(() => clearTimeout(timer));
    const text = await readFile(file, 'utf8').catch(() => '');
    const entries = text.split('\n').flatMap((line) => (line === '' ? [] : [z.parse(entrySchema, JSON.parse(line))]));
    return { messages, error, entries, lines: entries.flatMap(({ line }) => (line === undefined ? [] : [line])) };
  }
}

export async function checkSdk(report: Report, place: SdkTarget): Promise<void> {
  const sdk = new SdkRunner(place);
  report.group();
  await report.need('module', 'exports query()', () => sdk.load());
  await checkMessages(report, sdk);
  await checkPermissions(report, sdk);
  await checkHooks(report, sdk);
  await checkEndings(report, sdk);
}

async function checkMessages(report: Report, sdk: SdkRunner): Promise<void> {
  await report.need('one-prompt', 'yields system/init, the answer and the result, then ends', async () => {
    const { messages, error, lines, entries } = await sdk.run('plain', 'hello');
    if (error !== undefined) throw error;
    expectEqual(
      messages.map(({ type }) => type),
      ['system', 'assistant', 'result'],
      'types',
    );
    if (!entries.some(({ end }) => end === true)) throw new Error('stdin was not closed after the result');
    const [first, ...others] = lines;
    expectEqual(Object(first?.['request']).subtype, 'initialize', 'the first line');
    if (!others.some(({ type }) => type === 'user')) throw new Error('no user message was sent');
  });
  await report.check('valid-lines', 'sends only valid lines', async () => {
    const { lines } = await sdk.run('permission', 'hello', {
      options: { canUseTool: async (_name: string, updatedInput: unknown) => ({ behavior: 'allow', updatedInput }) },
    });
    for (const line of lines) {
      const frame = readFrame(JSON.stringify(line));
      if (frame.kind === 'invalid') throw frame.error;
      if (frame.kind === 'unknown') throw new Error(`unknown type ${frame.type}`);
    }
  });
  await report.check('several-prompts', 'sends the prompts of an async iterable as turns of one process', async () => {
    const next = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* prompts() {
      yield userMessage('one');
      await next[0]?.promise;
      yield userMessage('two');
      await next[1]?.promise;
    }
    let count = 0;
    const { messages, error } = await sdk.run('plain', prompts(), {
      onMessage: ({ type }) => {
        if (type !== 'result') return;
        next[count]?.resolve();
        count += 1;
      },
    });
    if (error !== undefined) throw error;
    expectEqual(resultsOf(messages), ['turn 1', 'turn 2'], 'results');
  });
  await report.check('resume', 'the option resume becomes --resume of the CLI', async () => {
    const { entries } = await sdk.run('plain', 'hello', { options: { resume: RESUMED } });
    const { args = [] } = entries.find((entry) => entry.args) ?? {};
    const found = args.includes(`--resume=${RESUMED}`) ? RESUMED : args[args.indexOf('--resume') + 1];
    expectEqual(found, RESUMED, 'the value of --resume');
  });
  await report.check('noise', 'continues after a line that is not JSON and a message of an unknown type', async () => {
    const { messages, error } = await sdk.run('noise', 'hello');
    if (error !== undefined) throw error;
    expectEqual(resultsOf(messages), ['turn 1'], 'results');
  });
  await report.check('unknown-request', 'answers an unknown control request with an error', async () => {
    const { entries } = await sdk.run('unknown-request', 'hello');
    expectEqual(entries.find(({ answer }) => answer)?.answer?.response.subtype, 'error', 'response.subtype');
  });
}

async function checkPermissions(report: Report, sdk: SdkRunner): Promise<void> {
  for (const [id, title, canUseTool, isAllowed] of [
    [
      'permission-allow',
      'passes an allowed input on',
      async () => ({ behavior: 'allow', updatedInput: { a: 1 } }),
      true,
    ],
    ['permission-deny', 'passes a denial on', async () => ({ behavior: 'deny', message: 'no' }), false],
    ['permission-throw', 'denies when the callback throws', () => Promise.reject(new Error('broken')), false],
    ['permission-malformed', 'denies a malformed answer of the callback', async () => ({ behavior: 'perhaps' }), false],
    ['permission-none', 'denies without a callback', undefined, false],
  ] as const) {
    await report.check(id, title, async () => {
      const seen: unknown[] = [];
      const callback = canUseTool && ((...asked: readonly unknown[]) => (seen.push(asked.slice(0, 2)), canUseTool()));
      const { entries } = await sdk.run('permission', 'hello', { options: callback && { canUseTool: callback } });
      const answer = entries.find((entry) => entry.answer)?.answer?.response;
      if (answer === undefined) throw new Error('can_use_tool was not answered');
      if (callback) expectEqual(seen, [['write_file', { file_path: 'a.txt', content: 'model' }]], 'arguments');
      const decision = CONTROL_REQUESTS.can_use_tool.result.safeParse(answer.response).data;
      expectEqual(answer.subtype === 'success' && decision?.behavior === 'allow', isAllowed, 'whether it is allowed');
      if (isAllowed) expectEqual(Object(decision).updatedInput, { a: 1 }, 'updatedInput');
    });
  }
}

async function checkHooks(report: Report, sdk: SdkRunner): Promise<void> {
  const inputs: unknown[] = [];
  const run = (hook: () => unknown) => {
    const callback = async (input: unknown) => (inputs.push(input), hook());
    return sdk.run('hook', 'hello', { options: { hooks: { PreToolUse: [{ hooks: [callback] }] } } });
  };
  await report.check('hook-call', 'registers a hook, calls it with its input, and passes its output on', async () => {
    const hookSpecificOutput = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'no',
    };
    const { entries } = await run(() => ({ hookSpecificOutput }));
    expectEqual(Object(inputs[0]).tool_name, 'write_file', 'tool_name of the input');
    const answer = entries.find((entry) => entry.answer)?.answer?.response;
    expectEqual(answer?.subtype, 'success', 'response.subtype');
    expectEqual(Object(Object(answer?.response).hookSpecificOutput).permissionDecision, 'deny', 'permissionDecision');
  });
  await report.check('hook-throw', 'a hook that throws permits nothing', async () => {
    const { entries } = await run(() => Promise.reject(new Error('broken')));
    const answer = entries.find((entry) => entry.answer)?.answer?.response;
    if (answer === undefined) throw new Error('hook_callback was not answered');
    const { permissionDecision } = Object(Object(answer.response).hookSpecificOutput);
    if (permissionDecision === 'allow') throw new Error('the answer allows the call');
  });
}

async function checkEndings(report: Report, sdk: SdkRunner): Promise<void> {
  await report.check('interrupt', 'interrupt() sends a request, and the query ends with the result', async () => {
    async function* prompts() {
      yield userMessage('hang');
      await ended.promise;
    }
    const ended = Promise.withResolvers<void>();
    const { messages, lines, error } = await sdk.run('hangs', prompts(), {
      onMessage: ({ type }, running) => {
        if (type === 'system') running.interrupt?.().catch(() => undefined);
        if (type === 'result') ended.resolve();
      },
    });
    const asked = lines.some(({ request }) => Object(request).subtype === 'interrupt');
    if (!asked) throw new Error('no interrupt was sent', { cause: error });
    expectEqual(messages.at(-1)?.['type'], 'result', 'the last message');
  });
  await report.check('abort', 'an aborted query ends', async () => {
    const abortController = new AbortController();
    await sdk.run('hangs', 'hello', { options: { abortController }, onMessage: () => abortController.abort() });
  });
  await report.check('crash', 'rejects when the CLI exits with an error', async () => {
    const { error } = await sdk.run('dies', 'hello');
    if (!(error instanceof Error)) throw new Error('it ended as if nothing had happened');
  });
}

function resultsOf(messages: readonly Message[]): readonly unknown[] {
  return messages.filter(({ type }) => type === 'result').map(({ result }) => result);
}

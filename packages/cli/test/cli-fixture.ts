import { fileURLToPath } from 'node:url';
import {
  isolatedEnvironment,
  type LineProcess,
  type LineProcessOptions,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  startLineProcess,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';

/** The built program. */
export const BIN = fileURLToPath(new URL('../bin/qwen.js', import.meta.url));

/** The flags of an SDK. */
export const SDK_FLAGS = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--channel=SDK'];

export interface CliFixture extends AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly model: ScriptedModel;
  /** The environment of the program: its own home, no keys but the model's. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts the program with these arguments; it dies with the fixture. */
  start(args: readonly string[], options?: Partial<LineProcessOptions>): Promise<LineProcess>;
  /** Starts it as an SDK does; when the fixture ends, every line of its stdout must have been JSON (A-16, F11). */
  startMachine(args?: readonly string[], options?: Partial<LineProcessOptions>): Promise<LineProcess>;
}

/** A workspace, a scripted model and the program. */
export async function openCliFixture(
  replies: readonly ScriptedReply[] = [],
  options?: ScriptedModelOptions,
): Promise<CliFixture> {
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(replies, options);
  const env = isolatedEnvironment(workspace.resolve('home'), model.env);
  const running: LineProcess[] = [];
  const machines: LineProcess[] = [];
  const start: CliFixture['start'] = async (args, more = {}) => {
    const program = await startLineProcess({
      command: process.execPath,
      args: [BIN, ...args],
      env,
      cwd: workspace.path,
      ...more,
    });
    running.push(program);
    return program;
  };
  return {
    workspace,
    model,
    env,
    start,
    async startMachine(args = [], more = {}) {
      const program = await start([...SDK_FLAGS, ...args], more);
      machines.push(program);
      return program;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((program) => program[Symbol.asyncDispose]()));
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
      const foreign = machines.flatMap(({ lines }) => lines.filter(({ json }) => json === undefined));
      if (foreign.length > 0) throw new Error(`stdout holds what is no JSON: ${foreign[0]?.text.slice(0, 200)}`);
    },
  };
}

/** Lines of the app. */
export const prompt = (content: string) => ({ type: 'user', message: { role: 'user', content } });
export const control = (request_id: string, request: Readonly<Record<string, unknown>>) => ({
  type: 'control_request',
  request_id,
  request,
});
export const answer = (request_id: unknown, response: unknown) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id, response },
});
/** The answer to a request of the app, for `next`. */
export const answerTo = (request_id: string) => ({ type: 'control_response', response: { request_id } });
/** The question that the program asks about a tool, for `next`. */
export const QUESTION = { type: 'control_request', request: { subtype: 'can_use_tool' } };
export const RESULT = { type: 'result' };

/** Pieces of a stream of the OpenAI kind, for the byte server. */
export const textChunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
export const STOP = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

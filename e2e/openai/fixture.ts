import { fileURLToPath } from 'node:url';
import {
  isolatedEnvironment,
  type LineProcess,
  type LineProcessOptions,
  programOnPath,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  startLineProcess,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { expect } from 'vitest';
import { problemsOf } from './ipc-schemas.ts';

const CLI = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));

export type Format = 'stream-json' | 'stream-chunk-json';
export const FORMATS: readonly Format[] = ['stream-json', 'stream-chunk-json'];

/** Where a scene plays: a workspace, a scripted model, and `qwen` on the search path as anybody would start it. */
export interface LinesFixture extends AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly model: ScriptedModel;
  readonly env: Readonly<Record<string, string>>;
  /** Starts the program with lines on both sides; it dies with the fixture. */
  start(format: Format, options?: Partial<LineProcessOptions>): Promise<LineProcess>;
}

export async function openLinesFixture(
  replies: readonly ScriptedReply[],
  options?: ScriptedModelOptions,
): Promise<LinesFixture> {
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(replies, options);
  const env = isolatedEnvironment(workspace.resolve('home'), model.env);
  env['PATH'] = await programOnPath(workspace, 'qwen', CLI);
  const running: LineProcess[] = [];
  return {
    workspace,
    model,
    env,
    async start(format, more = {}) {
      const args = ['--input-format', 'stream-json', '--output-format', format, ...(more.args ?? [])];
      const program = await startLineProcess({ env, cwd: workspace.path, ...more, command: 'qwen', args });
      running.push(program);
      return program;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((program) => program[Symbol.asyncDispose]()));
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/** A prompt of a user, for the session of that id. */
export const chat = (text: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...more,
  input: { origin: 'user', parts: [{ type: 'text', text }] },
});

export const isReceipt = (line: Readonly<Record<string, unknown>>): boolean =>
  Object(line['metadata']).protocol_version !== undefined;
export const isSummary = (line: Readonly<Record<string, unknown>>): boolean =>
  Object(line['metadata']).summary !== undefined;

/** The session that the process began with. */
export async function sessionOf(program: LineProcess): Promise<string> {
  return String(Object((await program.next(isReceipt))['metadata']).session_id);
}

/** Every line was one JSON object and fits the committed schema of its kind. */
export function expectOnlyProtocol(lines: LineProcess['lines']): void {
  for (const { text, json } of lines) {
    expect(json, text).toBeDefined();
    expect(problemsOf(json ?? {}), text).toEqual([]);
  }
}

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  isolatedEnvironment,
  type LineProcess,
  type ScriptedModel,
  type ScriptedReply,
  startLineProcess,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';

// The Claude Agent SDKs for Python (0.2.143) and TypeScript (0.3.329) must find a CLI that they understand in ours. The
// fixtures are the bytes that they write, one line each.

const CLI = fileURLToPath(new URL('../../../packages/cli/bin/qwen.js', import.meta.url));

/** The words of a command line without blanks inside of words. */
export const words = (line: string): string[] => line.split(' ');

/** What the Python SDK starts a CLI with when nothing is set. */
export const PYTHON_ARGUMENTS = [
  ...words('--output-format stream-json --verbose --system-prompt'),
  '',
  ...words('--input-format stream-json'),
];

/** The same of the TypeScript SDK. */
export const TYPESCRIPT_ARGUMENTS = words('--output-format stream-json --verbose --input-format stream-json');

const SDK_VARIABLES = {
  python: { CLAUDE_CODE_ENTRYPOINT: 'sdk-py', CLAUDE_AGENT_SDK_VERSION: '0.2.143' },
  typescript: {
    CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
    CLAUDE_AGENT_SDK_VERSION: '0.3.329',
    CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
  },
} as const;

export interface Fixture extends AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly model: ScriptedModel;
  /** Starts our CLI as one of the SDKs does. */
  start(language: keyof typeof SDK_VARIABLES, args: readonly string[]): Promise<LineProcess>;
}

export async function openFixture(script: (workspace: TemporaryFolder) => readonly ScriptedReply[]): Promise<Fixture> {
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(script(workspace));
  const running: LineProcess[] = [];
  return {
    workspace,
    model,
    async start(language, args) {
      const env = isolatedEnvironment(workspace.resolve('home'), { ...model.env, ...SDK_VARIABLES[language] });
      const command = process.execPath;
      const program = await startLineProcess({ command, args: [CLI, ...args], cwd: workspace.path, env });
      running.push(program);
      return program;
    },
    async [Symbol.asyncDispose]() {
      for (const program of running) await program[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/** Writes the bytes of a fixture. */
export async function replay(program: LineProcess, name: string): Promise<void> {
  program.write(await readFile(new URL(`./fixtures/${name}.jsonl`, import.meta.url)));
}

/** The answer to a control request, as both SDKs write it. */
export const success = (requestId: unknown, response: object) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: requestId, response },
});

interface Servers {
  readonly [tool: string]: (input: Record<string, unknown>) => string;
}

/** What a JSON-RPC message of the CLI gets from an MCP server of the app that has these tools. */
export function answerMcp(message: Record<string, unknown>, tools: Servers): object {
  const { method, id } = message;
  if (id === undefined) return { jsonrpc: '2.0', result: {}, id: 0 };
  return { jsonrpc: '2.0', id, result: toResult(String(method), message['params'], tools) };
}

function toResult(method: string, params: unknown, tools: Servers): object {
  if (method === 'initialize') {
    return {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'calc', version: '1.0.0' },
    };
  }
  if (method === 'tools/list') {
    const inputSchema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } };
    return { tools: Object.keys(tools).map((name) => ({ name, description: 'Adds', inputSchema })) };
  }
  const { name, arguments: input } = params as { name: string; arguments: Record<string, unknown> };
  return { content: [{ type: 'text', text: tools[name]?.(input) ?? 'unknown' }] };
}

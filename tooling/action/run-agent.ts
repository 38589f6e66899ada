import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Run } from './inputs.ts';
import type { WorkflowLog } from './workflow-log.ts';

/** The members of the output lines that the action reads. */
export interface Line {
  readonly type?: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly model?: string;
  readonly is_error?: boolean;
  readonly result?: string;
  readonly structured_output?: unknown;
  readonly num_turns?: number;
  readonly total_cost_usd?: number;
  readonly usage?: Readonly<Record<string, number>>;
  readonly error?: { readonly message?: string };
  readonly data?: { readonly message?: string };
  readonly permission_denials?: readonly { readonly tool_name: string; readonly reason?: string }[];
  readonly message?: { readonly content?: string | readonly Block[] };
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

export interface Ending {
  readonly exitCode: number;
  readonly model?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The last result; undefined if the program ended without one. */
  readonly result?: Line | undefined;
  /** Why it ended without a result. */
  readonly failure: string;
}

const STDERR_CHARS = 4_000;
const SHOWN_CHARS = 500;

/** Runs the agent, prints its steps to the log and its lines to the file. Rejects if it cannot start. */
export async function runAgent(run: Run, log: WorkflowLog, executionFile: string): Promise<Ending> {
  const isScript = /\.[cm]?js$/.test(run.executable);
  const command = isScript ? process.execPath : run.executable;
  const args = isScript ? [run.executable, ...run.args] : [...run.args];
  const child = spawn(command, args, { cwd: run.cwd, env: run.env, stdio: ['pipe', 'pipe', 'pipe'] });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const file = createWriteStream(executionFile, { mode: 0o600 });
  const seen: { stderr: string; session?: Line; result?: Line } = { stderr: '' };
  const read = (text: string): void => {
    file.write(`${log.redact(text)}\n`);
    const line = parseLine(text);
    if (line === undefined) return;
    if (line.type === 'system' && line.subtype === 'init') seen.session = line;
    if (line.type === 'result') seen.result = line;
    if (line.type === 'system' && line.subtype === 'error') seen.stderr = line.data?.message ?? seen.stderr;
    for (const shown of describe(line)) log.print(shown);
  };
  const split = lineSplitter(read);
  child.stdout.on('data', split.push);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    seen.stderr = (seen.stderr + text).slice(-STDERR_CHARS);
    process.stdout.write(log.redact(text));
  });
  // It may exit before it has read the prompt.
  child.stdin.on('error', () => undefined).end(run.prompt);
  const resume = log.stopCommands();
  try {
    const [code]: unknown[] = await once(child, 'close');
    split.end();
    const exitCode = typeof code === 'number' ? code : 1;
    const { session, result, stderr } = seen;
    return { exitCode, model: session?.model, sessionId: session?.session_id, result, failure: stderr.trim() };
  } finally {
    resume();
    process.off('SIGINT', forward).off('SIGTERM', forward);
    file.end();
    await once(file, 'close');
  }
}

function lineSplitter(read: (line: string) => void): { push: (bytes: Buffer) => void; end: () => void } {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const take = (text: string): void => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') read(line);
  };
  return { push: (bytes) => take(decoder.write(bytes)), end: () => take(`${decoder.end()}\n`) };
}

function parseLine(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function describe({ type, message }: Line): string[] {
  const content = message?.content;
  if ((type !== 'assistant' && type !== 'user') || content === undefined || typeof content === 'string') return [];
  return content.flatMap((block) => {
    if (block.type === 'text' && type === 'assistant') return [block.text ?? ''];
    if (block.type === 'tool_use') return [`> ${block.name} ${shorten(JSON.stringify(block.input))}`];
    if (block.type === 'tool_result' && block.is_error === true) return [`  failed: ${shorten(toText(block.content))}`];
    return [];
  });
}

function toText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function shorten(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LineChild, type Program } from './child.ts';

// The raw channel, for hosts without an SDK.

const require = createRequire(import.meta.url);

export const CLI_BIN = join(dirname(require.resolve('@qwen/cli/package.json')), 'bin', 'qwen.js');

/** As an SDK starts it. */
export const toCli = ({ cwd, env }: Pick<Program, 'cwd' | 'env'>): Program => ({
  args: [CLI_BIN, '--input-format', 'stream-json', '--output-format', 'stream-json', '--channel=SDK'],
  cwd,
  env,
});

const INITIALIZE_LINE = `${JSON.stringify({
  type: 'control_request',
  request_id: 'bench-1',
  request: { subtype: 'initialize', hooks: null },
})}\n`;

const USER_LINE = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'Say a word.' } })}\n`;

/** Starts the CLI, sends `initialize` and resolves with the first line. */
export async function initialized(cli: Program): Promise<LineChild> {
  const child = new LineChild(cli);
  const firstLine = child.line();
  child.write(INITIALIZE_LINE);
  await firstLine;
  return child;
}

/** Resolves with the result. Does not parse lines, which would load the measuring process. */
export async function takeTurn(child: LineChild): Promise<void> {
  const result = child.line((line) => line.includes('"type":"result"'));
  child.write(USER_LINE);
  await result;
}

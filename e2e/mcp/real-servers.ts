import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

const programIn = (manifest: string) => join(dirname(manifest), 'dist', 'index.js');

/** The reference servers of the MCP project, as programs. */
export const EVERYTHING = programIn(require.resolve('@modelcontextprotocol/server-everything/package.json'));
export const FILESYSTEM = programIn(require.resolve('@modelcontextprotocol/server-filesystem/package.json'));
/** The configuration of a server that is started as a child. */
export const childServer = (program: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [program, ...args],
});

export interface ListeningServer extends AsyncDisposable {
  readonly port: number;
}

/** Starts the reference server on a free port of loopback; ready when it says that it listens. */
export async function startEverything(transport: 'sse' | 'streamableHttp'): Promise<ListeningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [EVERYTHING, transport], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'exit');
  const listens = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes(`port ${port}`)) resolve();
    });
  });
  await Promise.race([listens, gone.then(() => Promise.reject(new Error('the server did not start')))]);
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The server takes a port by number only, so one that is free now is looked for. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}

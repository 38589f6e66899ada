import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NetworkProxy, type NetworkProxyOptions } from './network-proxy.js';

/** A network namespace in which the only way out is the proxy. */
export interface SandboxNetwork extends Disposable {
  isOpen(): boolean;
  readonly enter: readonly string[];
  /** Port of the proxy on 127.0.0.1 inside the sandbox. */
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
  takeBlocked(): string[];
}

export interface NetworkOptions extends NetworkProxyOptions {
  readonly program: string;
  readonly folder: string;
}

const START_MS = 10_000;
const NSENTER = ['/usr/bin/nsenter', '/bin/nsenter'];

/** Runs with the Node.js of this process in the namespace: the proxy itself has to stay outside. */
const RELAY = `
const { connect, createServer } = require('node:net');
createServer({ allowHalfOpen: true }, (inner) => {
  const outer = connect({ path: process.argv[1], allowHalfOpen: true });
  const end = () => { inner.destroy(); outer.destroy(); };
  inner.on('error', end).pipe(outer).on('error', end).pipe(inner);
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** Resolves with undefined if there is no way into a namespace that exists. */
export async function openNetwork({
  program,
  folder,
  ...options
}: NetworkOptions): Promise<SandboxNetwork | undefined> {
  const nsenter = NSENTER.find((path) => existsSync(path));
  if (nsenter === undefined) return undefined;
  const proxy = new NetworkProxy(options);
  const socket = join(folder, `${crypto.randomUUID().slice(0, 8)}.sock`);
  const listening = new Promise<void>((resolve, reject) => {
    proxy.server.once('error', reject).listen(socket, resolve);
  });
  proxy.server.unref();
  const holder = spawn(
    program,
    [
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-net',
      '--cap-drop',
      'ALL',
      '--new-session',
      // Without --dev, which needs a second user namespace that could not be entered.
      '--die-with-parent',
      '--ro-bind',
      '/',
      '/',
      '--dev-bind',
      '/dev',
      '/dev',
      '--info-fd',
      '3',
      '--',
      process.execPath,
      '-e',
      RELAY,
      socket,
    ],
    { stdio: ['ignore', 'pipe', 'ignore', 'pipe'], env: { PATH: '/usr/bin:/bin' } },
  );
  holder.unref();
  holder.on('error', () => undefined);
  const dispose = () => {
    holder.kill('SIGKILL');
    proxy.server.close();
    proxy.server.closeAllConnections();
  };
  const abort = new AbortController();
  try {
    const info = readUntil(holder.stdio[3], /"child-pid": *(\d+)[^}]*\}/);
    const started = Promise.all([info, readUntil(holder.stdout, /^(\d+)\n/), listening]);
    const late = delay(START_MS, undefined, { signal: abort.signal, ref: false });
    const ready = await Promise.race([started, late]);
    if (ready === undefined) throw new Error('The relay of the sandbox did not start in time.');
    const [pid, port] = [ready[0], Number(ready[1])];
    const [user, net] = ['user', 'net'].map((kind) => `/proc/${pid}/ns/${kind}`);
    const identity = identityOf(net);
    return {
      // The ID of an ended process may become that of another one, with another network.
      isOpen: () => holder.exitCode === null && holder.signalCode === null && identityOf(net) === identity,
      enter: [nsenter, `--user=${user}`, `--net=${net}`, '--preserve-credentials', '--'],
      port,
      environment: proxyVariables(port),
      takeBlocked: () => proxy.takeBlocked(),
      [Symbol.dispose]: dispose,
    };
  } catch {
    // Without a network, commands are confined all the more.
    dispose();
    return undefined;
  } finally {
    abort.abort();
  }
}

/** For a sandbox without network namespaces, which limits connections itself. */
export async function openLocalProxy(options: NetworkProxyOptions): Promise<SandboxNetwork> {
  const proxy = new NetworkProxy(options);
  await new Promise<void>((resolve, reject) => {
    proxy.server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  proxy.server.unref();
  const address = proxy.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    isOpen: () => proxy.server.listening,
    enter: [],
    port,
    environment: proxyVariables(port),
    takeBlocked: () => proxy.takeBlocked(),
    [Symbol.dispose]: () => {
      proxy.server.close();
      proxy.server.closeAllConnections();
    },
  };
}

function identityOf(path: string | undefined): number | undefined {
  return path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.ino;
}

function proxyVariables(port: number): Record<string, string> {
  const address = `http://127.0.0.1:${port}`;
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  const addresses = [...names, ...names.map((name) => name.toUpperCase())].map((name) => [name, address]);
  const local = 'localhost,127.0.0.1,::1';
  return { ...Object.fromEntries(addresses), no_proxy: local, NO_PROXY: local, NODE_USE_ENV_PROXY: '1' };
}

async function readUntil(stream: unknown, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    text += chunk.toString();
    const [, found] = pattern.exec(text) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error('The relay of the sandbox ended.');
}

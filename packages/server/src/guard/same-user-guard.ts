import type { Socket } from 'node:net';
import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import type { GuardContext } from './request-facts.js';
import { type Connection, type ReadSocketTables, SocketOwners } from './socket-owner.js';

export interface SameUserGuardOptions {
  /** Who may connect. Default: the user of this process. */
  readonly userId?: number | undefined;
  /** Default: asks the kernel. */
  readonly readTables?: ReadSocketTables | undefined;
}

/**
 * Lets in only programs of one user of this machine: loopback is open to everybody on it (S63). A connection is looked up
 * once, and many that come together are looked up together. Where the kernel cannot say, on other systems or for a peer
 * that is not of this machine, the answer is no: mount it on Linux and on loopback only. Errors: `origin_refused`.
 */
export function sameUserGuard({
  userId = process.getuid?.(),
  readTables,
}: SameUserGuardOptions = {}): MiddlewareHandler {
  const owners = new SocketOwners(readTables);
  const known = new WeakMap<Socket, Promise<number | undefined>>();
  const ownerOf = (socket: Socket): Promise<number | undefined> => {
    const connection = toConnection(socket);
    const owner = known.get(socket) ?? (connection && owners.ownerOf(connection)) ?? Promise.resolve(undefined);
    known.set(socket, owner);
    return owner;
  };
  return async (context: GuardContext, next) => {
    const socket = context.env?.incoming?.socket;
    if (socket === undefined || userId === undefined || (await ownerOf(socket)) !== userId) {
      throw new AgentError('origin_refused', 'This server answers programs of its own user only.');
    }
    await next();
  };
}

function toConnection({ remoteAddress, remotePort, localAddress, localPort }: Socket): Connection | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  if (localAddress === undefined || localPort === undefined) return undefined;
  return { remoteAddress, remotePort, localAddress, localPort };
}

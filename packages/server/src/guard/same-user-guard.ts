import type { Socket } from 'node:net';
import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import type { GuardContext } from './request-headers.js';
import { type Connection, type ReadSocketTables, SocketOwners } from './socket-owner.js';

export interface SameUserGuardOptions {
  readonly userId?: number | undefined;
  /** Default: reads the kernel's tables. */
  readonly readTables?: ReadSocketTables | undefined;
}

/**
 * Accepts only programs of one user, since all users of a machine can reach loopback. Only for Linux and loopback.
 * Errors: `origin_refused`.
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
      throw new AgentError('origin_refused', 'This server only accepts programs of the same user.');
    }
    await next();
  };
}

function toConnection({ remoteAddress, remotePort, localAddress, localPort }: Socket): Connection | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  if (localAddress === undefined || localPort === undefined) return undefined;
  return { remoteAddress, remotePort, localAddress, localPort };
}

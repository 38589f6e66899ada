import type { Socket } from 'node:net';
import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import type { GuardContext } from './request-facts.js';
import { type Connection, socketOwner } from './socket-owner.js';

export interface SameUserGuardOptions {
  /** Who may connect. Default: the user of this process. */
  readonly userId?: number | undefined;
}

/**
 * Lets in only programs of one user of this machine: loopback is open to everybody on it (S63). The kernel is asked once
 * a connection. Where it cannot say, on other systems or for a peer that is not of this machine, the answer is no:
 * mount it on Linux and on loopback only. Errors: `origin_refused`.
 */
export function sameUserGuard({ userId = process.getuid?.() }: SameUserGuardOptions = {}): MiddlewareHandler {
  const owners = new WeakMap<Socket, Promise<number | undefined>>();
  return async (context: GuardContext, next) => {
    const socket = context.env?.incoming?.socket;
    if (socket === undefined || userId === undefined || (await ownerOf(socket, owners)) !== userId) {
      throw new AgentError('origin_refused', 'This server answers programs of its own user only.');
    }
    await next();
  };
}

function ownerOf(socket: Socket, owners: WeakMap<Socket, Promise<number | undefined>>): Promise<number | undefined> {
  const known = owners.get(socket);
  if (known !== undefined) return known;
  const connection = toConnection(socket);
  const owner = connection === undefined ? Promise.resolve(undefined) : socketOwner(connection);
  owners.set(socket, owner);
  return owner;
}

function toConnection({ remoteAddress, remotePort, localAddress, localPort }: Socket): Connection | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  if (localAddress === undefined || localPort === undefined) return undefined;
  return { remoteAddress, remotePort, localAddress, localPort };
}

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A relay on loopback whose connections can be cut all at once. Close it with `await using`. */
export async function startRelay(targetPort: () => number) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort(), '127.0.0.1');
    const drop = () => {
      for (const socket of [client, target]) {
        socket.destroy();
        open.delete(socket);
      }
    };
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(from);
      from.on('error', drop).on('close', drop).pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const host = `127.0.0.1:${address.port}`;
  /** Returns the number of connections. */
  const cut = (): number => {
    const count = open.size / 2;
    for (const socket of open) socket.destroy();
    return count;
  };
  return {
    host,
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** After how many bytes a connection is torn, both directions counted together; undefined: never. */
export type TearPoint = (connection: number) => number | undefined;

/**
 * A proxy on loopback that tears connections at any byte, of requests as well as of answers: what is behind that byte
 * arrives nowhere. Close it with `await using`.
 */
export async function startTearingProxy(targetPort: number | (() => number), tearPoint: TearPoint) {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    connections += 1;
    const target = connect(typeof targetPort === 'number' ? targetPort : targetPort(), '127.0.0.1');
    const drop = () => {
      for (const socket of [client, target]) {
        socket.destroy();
        open.delete(socket);
      }
    };
    let left = tearPoint(connections) ?? Number.POSITIVE_INFINITY;
    const pass = (from: Socket, to: Socket) => {
      open.add(from);
      from.on('error', drop).on('close', drop);
      from.on('data', (chunk: Buffer) => {
        const passed = chunk.subarray(0, left);
        left -= passed.length;
        if (left > 0) to.write(passed);
        else to.end(passed, drop);
      });
    };
    pass(client, target);
    pass(target, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    get connections() {
      return connections;
    },
    /** Tears everything that is connected, and takes nothing new. */
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}

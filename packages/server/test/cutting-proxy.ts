import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Tells of each connection after how much of its answer to cut it, from all that came so far; undefined: not yet. */
export type CutPoint = (answer: Buffer, connection: number) => number | undefined;

/** A proxy on loopback that cuts connections in the middle of answers. Close it with `await using`. */
export async function startCuttingProxy(targetPort: number, cutPoint: CutPoint) {
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const connection = connections;
    const target = connect(targetPort, '127.0.0.1');
    const drop = () => {
      target.destroy();
      client.destroy();
    };
    let answer = Buffer.alloc(0);
    client.on('error', drop).on('close', drop).pipe(target);
    target.on('error', drop).on('close', drop);
    target.on('data', (chunk: Buffer) => {
      const passed = answer.length;
      answer = Buffer.concat([answer, chunk]);
      const cut = cutPoint(answer, connection);
      if (cut === undefined) client.write(chunk);
      else client.end(answer.subarray(passed, Math.max(passed, cut)), drop);
    });
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
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

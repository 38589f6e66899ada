// A separate process, so that it shares no event loop with the measured code.
import type { AddressInfo } from 'node:net';
import { createModelServer } from './server.ts';

const server = createModelServer();
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit());

// One process of a cluster with a short lease: `node serve-role.js <options as JSON>`. Prints its address.
import { createServer } from '@qwen/server';

const { port, ...options } = JSON.parse(process.argv[2] ?? '{}');
const onNotice = (notice) => process.stderr.write(`${notice}\n`);
const server = await createServer({ ...options, approvalMode: 'yolo', onNotice });
const { url } = await server.listen({ port });
process.stdout.write(`${url}\n`);
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));

// Prints the version in the OpenAPI document of the built server.
import { createServer } from '@qwen/server';

await using server = await createServer({ store: 'memory:', token: 'unused', hosts: ['test.example'] });
const answer = await server.fetch(
  new Request('http://test.example/openapi.json', { headers: { host: 'test.example' } }),
);
const { info } = await answer.json();
process.stdout.write(`${info.version}\n`);

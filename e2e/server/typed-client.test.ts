import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createOpenApi } from '@qwen/protocol/json-schema';
import { says, temporaryFolder } from '@qwen/testkit';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { openServeFixture } from './serve-fixture.js';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const compiler = require.resolve('typescript/package.json').replace('package.json', 'bin/tsc');

/** A program of a user who knows only the document. */
const CLIENT = `
  import createClient from 'openapi-fetch';
  import type { components, paths } from './document.js';

  const [baseUrl = '', token = ''] = process.argv.slice(2);
  const { POST, GET } = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });

  const created = await POST('/api/v1/cloud/sessions', { body: { title: 'typed' } });
  if (created.data === undefined) throw new Error(JSON.stringify(created.error));
  const params = { path: { session_id: created.data.id } };
  const stream = await GET('/api/v1/cloud/sessions/{session_id}/events/stream', { params, parseAs: 'stream' });
  const content = [{ type: 'text' as const, text: 'hello' }];
  await POST('/api/v1/cloud/sessions/{session_id}/events', { params, body: { events: [{ type: 'user.message', content }] } });

  let rest = '';
  const types: string[] = [];
  const decoder = new TextDecoder();
  read: for await (const chunk of stream.response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const event: components['schemas']['StreamedEvent'] = JSON.parse(line.slice(6));
      if (event.type === 'agent.message') types.push(event.content.map((block) => block.type).join());
      if (event.type === 'session.status_idle') break read;
    }
  }
  const listed = await POST('/api/sessions/list', { body: { search: 'typed' } });
  const tasks = await POST('/api/tasks/list', { body: { sessionId: listed.data?.sessions[0]?.id ?? '' } });
  const missing = await POST('/api/session/get', { body: { sessionId: 'none' } });
  // @ts-expect-error a route that does not exist
  const nothing = POST('/api/nothing', {});
  await nothing.catch(() => undefined);
  console.log(JSON.stringify([types, listed.data?.total, tasks.data?.tasks ?? tasks.error, missing.error?.code]));
  process.exit(0);
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    outDir: 'out',
  },
  files: ['client.ts'],
};

test('a client that is generated from the OpenAPI document compiles and works with the server', async () => {
  await using fixture = await openServeFixture({ replies: [says('Hello.')] });
  await using project = await temporaryFolder();
  await project.write('package.json', '{"type":"module"}');
  await project.write('document.ts', astToString(await openapiTS(JSON.stringify(createOpenApi()))));
  await project.write('client.ts', CLIENT);
  await symlink(fileURLToPath(new URL('../node_modules', import.meta.url)), project.resolve('node_modules'));
  const types = {
    ...TSCONFIG.compilerOptions,
    typeRoots: [dirname(dirname(require.resolve('@types/node/package.json')))],
  };
  await project.write('tsconfig.json', JSON.stringify({ ...TSCONFIG, compilerOptions: types }));
  const compiled = await run(process.execPath, [compiler, '-p', project.path]).catch(
    (failure: { stdout: string }) => failure,
  );
  expect(compiled.stdout).toBe('');
  const token = await fixture.home.read('.qwen/server/token');
  const { stdout } = await run(process.execPath, [project.resolve('out/client.js'), fixture.url, token.trim()]);
  expect(JSON.parse(stdout)).toEqual([['text'], 1, [], 'session_not_found']);
});

import { createServer } from 'node:http';
import { calls, lastText, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

// CommonJS packages that the built program loads on demand keep their default export.

test('the package that matches ignore files is bundled', async () => {
  await using fixture = await openCliFixture([
    calls({ name: 'glob', input: { pattern: '*.txt' } }),
    (request) => says(lastText(request)),
  ]);
  await fixture.workspace.write('.git/info/exclude', 'hidden.txt\n');
  for (const name of ['hidden.txt', 'shown.txt']) await fixture.workspace.write(name, '');
  const agent = await fixture.startMachine();
  agent.send(prompt('go'));
  expect(await agent.next(RESULT)).toMatchObject({ result: fixture.workspace.resolve('shown.txt') });
});

test('the package that gets tokens of a Google account is bundled', async () => {
  const tokens = new Set<string | undefined>();
  const server = createServer((request, response) => {
    const isMetadata = request.url?.startsWith('/computeMetadata') === true;
    if (!isMetadata) tokens.add(request.headers.authorization);
    response.writeHead(isMetadata ? 200 : 404, { 'content-type': 'application/json', 'metadata-flavor': 'Google' });
    response.end(JSON.stringify({ access_token: 'adc', expires_in: 3600, token_type: 'Bearer' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  await using fixture = await openCliFixture([says('done')]);
  const google = {
    GCE_METADATA_HOST: `127.0.0.1:${port}`,
    METADATA_SERVER_DETECTION: 'assume-present',
    GOOGLE_CLOUD_PROJECT: 'project',
  };
  const agent = await fixture.startMachine([], { env: { ...fixture.env, ...google } });
  const mcpServers = { g: { httpUrl: `http://127.0.0.1:${port}/mcp`, authProviderType: 'google_credentials' } };
  agent.send(control('init', { subtype: 'initialize', mcpServers }));
  agent.send(prompt('go'));
  await agent.next(RESULT);
  expect([...tokens]).toContain('Bearer adc');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('the package that reads PDF files is bundled', async () => {
  const content = 'BT /F1 12 Tf 72 720 Td (Hello PDF) Tj ET';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  // Without a table of its objects, which readers rebuild.
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  await using fixture = await openCliFixture([
    calls({ name: 'read_file', input: { file_path: 'a.pdf' } }),
    (request) => says(lastText(request)),
  ]);
  await fixture.workspace.write('a.pdf', `%PDF-1.4\n${body}trailer\n<< /Root 1 0 R /Size 6 >>\n%%EOF\n`);
  const agent = await fixture.startMachine();
  agent.send(prompt('go'));
  expect(await agent.next(RESULT)).toMatchObject({ result: expect.stringContaining('Hello PDF') });
  expect(agent.stderr).toBe('');
});

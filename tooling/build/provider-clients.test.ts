import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { createModel, ModelConfig, ModelRequest } from '@qwen/models';
import { type ReceivedRequest, startByteServer, type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { build } from 'esbuild';
import { expect, test, vi } from 'vitest';
import { providerClients } from './provider-clients.ts';

type Models = { readonly createModel: typeof createModel };

const REQUEST: ModelRequest = {
  model: 'gemini-3-pro',
  system: 'Be brief.',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_call', id: '1', name: 'look', input: { closely: true } }] },
    {
      role: 'tool',
      results: [{ callId: '1', name: 'look', isError: false, content: [{ type: 'text', text: 'a cat' }] }],
    },
  ],
  tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }],
  maxOutputTokens: 100,
  temperature: 0.5,
  topP: 0.9,
  effort: 'high',
};

const CONFIGS: readonly Omit<ModelConfig, 'baseUrl'>[] = [
  { family: 'openai-compatible', apiKey: 'key-1', headers: { 'X-Extra': '1' } },
  { family: 'openai-responses', apiKey: 'key-1' },
  { family: 'anthropic', apiKey: 'key-1', headers: { 'X-Extra': '1' } },
  { family: 'gemini', apiKey: 'key-1', headers: { 'X-Extra': '1' } },
  { family: 'gemini', vertex: { project: 'my-project', location: 'europe-west1' } },
];

/** All model families with their clients in one file: as they are published, or as the program holds them. */
async function bundleModels(
  folder: TemporaryFolder,
  kind: 'whole' | 'light',
): Promise<{ models: Models; bytes: number }> {
  const outfile = folder.resolve(`${kind}.cjs`);
  const { outputFiles } = await build({
    stdin: {
      contents: `export { createModel } from '@qwen/models';`,
      resolveDir: dirname(fileURLToPath(import.meta.url)),
    },
    outfile,
    write: false,
    bundle: true,
    minifyWhitespace: true,
    format: 'cjs',
    platform: 'node',
    conditions: ['@qwen/source'],
    plugins: kind === 'light' ? [providerClients] : [],
  });
  const [{ text } = { text: '' }] = outputFiles;
  await folder.write(`${kind}.cjs`, text);
  return { models: createRequire(import.meta.url)(outfile), bytes: text.length };
}

async function askOf({ createModel }: Models, config: Omit<ModelConfig, 'baseUrl'>): Promise<ReceivedRequest> {
  await using server = await startByteServer([{ status: 400 }]);
  const model = await createModel({ ...config, baseUrl: server.url });
  for await (const part of model.stream(REQUEST, { signal: new AbortController().signal })) {
    expect(part).toMatchObject({ type: 'failure', error: { code: 'invalid_request' } });
  }
  const [request] = server.requests;
  if (request === undefined) throw new Error('The model was not asked.');
  // The port is another each time, and a token of Google's says when it was made.
  const authorization = request.headers.authorization?.slice(0, 10);
  return { ...request, headers: { ...request.headers, host: '', authorization } };
}

test('the clients send the same requests with and without the removed parts', async () => {
  await using folder = await temporaryFolder();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const credentials = {
    type: 'service_account',
    client_email: 'agent@my-project.test',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    private_key_id: '1',
    universe_domain: 'universe.test',
  };
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', await folder.write('credentials.json', JSON.stringify(credentials)));
  vi.stubEnv('GOOGLE_CLOUD_UNIVERSE_DOMAIN', 'universe.test');
  const whole = await bundleModels(folder, 'whole');
  const light = await bundleModels(folder, 'light');
  expect(light.bytes).toBeLessThan(whole.bytes - 200_000);
  for (const config of CONFIGS) {
    expect(await askOf(light.models, config)).toEqual(await askOf(whole.models, config));
  }
  vi.unstubAllEnvs();
});

test.each(['openai', '@anthropic-ai/sdk', '@google/genai'])(
  'an upgrade of %s that no longer fits stops the build',
  async (library) => {
    await using folder = await temporaryFolder();
    const entry = await folder.write(`node_modules/${library}/index.mjs`, 'export const stream = undefined;');
    const bundling = build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      logLevel: 'silent',
      plugins: [providerClients],
    });
    await expect(bundling).rejects.toThrow(library);
  },
);

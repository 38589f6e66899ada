import {
  authorizedFetch,
  connectMcpServer,
  createTransport,
  MachineSource,
  OAuthSource,
  readEndpoint,
} from '@qwen/tools';
import * as z from 'zod/mini';

const contextSchema = z.looseObject({
  client_id: z.optional(z.string()),
  client_secret: z.optional(z.string()),
  private_key_pem: z.optional(z.string()),
  signing_algorithm: z.optional(z.literal('ES256')),
  idp_client_id: z.optional(z.string()),
  idp_id_token: z.optional(z.string()),
  idp_token_endpoint: z.optional(z.string()),
  valid_jwt: z.optional(z.string()),
  toolCalls: z.optional(z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))),
});
type Context = z.output<typeof contextSchema>;

export interface ScenarioRun {
  readonly scenario: string;
  /** JSON, or empty. */
  readonly context: string;
  readonly url: string;
}

/** Our MCP client, with a user who signs in at once and calls every tool. */
export async function runScenario({ scenario, context: text, url }: ScenarioRun): Promise<void> {
  const context = z.parse(contextSchema, JSON.parse(text || '{}'));
  const serverUrl = new URL(url);
  const transport = await createTransport({
    endpoint: readEndpoint('test', { httpUrl: url }),
    cwd: process.cwd(),
    environment: process.env,
    fetch: authorizedFetch({ fetch, source: sourceOf(scenario, context, serverUrl), serverUrl }),
  });
  const connection = await connectMcpServer({
    serverName: 'test',
    transport,
    // A user who agrees with everything that the form proposes.
    elicit: async () => ({ action: 'accept', content: {} }),
  });
  const toolContext = { callId: '1', cwd: '/', signal: new AbortController().signal, emit: () => {} };
  const call = async (name: string, input: unknown) => {
    const tool = connection.tools.find((one) => one.name === `mcp__test__${name}`);
    // A call that fails is what some scenarios are about.
    await tool?.execute(input, toolContext).catch(() => undefined);
  };
  try {
    for (const { name, arguments: input } of context.toolCalls ?? []) await call(name, input);
    if (context.toolCalls !== undefined) return;
    for (const { name, inputSchema } of connection.tools) {
      const plain = name.replace('mcp__test__', '');
      if (plain === 'add_numbers') await call(plain, { a: 5, b: 3 });
      else if (plain === 'json_schema_2020_12_tool') await call('json_schema_echo', { schema: inputSchema });
      else if (plain !== 'json_schema_echo') await call(plain, {});
    }
  } finally {
    await connection.close();
  }
}

function sourceOf(scenario: string, context: Context, serverUrl: URL) {
  let record: object | undefined;
  const storage = {
    load: async () => record,
    save: async (next: object) => {
      record = next;
    },
  };
  const client = { clientId: context.client_id, clientSecret: context.client_secret };
  const shared = { serverUrl, storage, fetch };
  if (scenario.startsWith('auth/client-credentials')) {
    const key = { privateKey: context.private_key_pem, signingAlgorithm: context.signing_algorithm };
    return new MachineSource({ ...shared, config: { ...client, ...key, grantType: 'client_credentials' } });
  }
  if (context.valid_jwt !== undefined) {
    return new MachineSource({
      ...shared,
      config: { ...client, grantType: 'jwt_bearer', assertion: context.valid_jwt },
    });
  }
  if (context.idp_token_endpoint !== undefined) {
    const identityProvider = {
      tokenUrl: context.idp_token_endpoint,
      clientId: context.idp_client_id ?? '',
      idToken: context.idp_id_token,
    };
    return new MachineSource({ ...shared, config: { ...client, grantType: 'jwt_bearer', identityProvider } });
  }
  return new OAuthSource({
    ...shared,
    config:
      scenario === 'auth/basic-cimd' ? { clientId: 'https://conformance-test.local/client-metadata.json' } : client,
    // The test page signs in every visitor.
    onAuthorizationUrl: (page) => void fetch(page),
    patience: 'wait',
  });
}

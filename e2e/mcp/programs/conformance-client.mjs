// The client of the conformance scenarios: our MCP client, with a user who signs in at once. Its last argument is the
// server; MCP_CONFORMANCE_SCENARIO names the scenario.
import {
  authorizedFetch,
  connectMcpServer,
  createTransport,
  MachineSource,
  OAuthSource,
  readEndpoint,
} from '@qwen/tools';

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');

const config = {
  ...(scenario === 'auth/basic-cimd' && { clientId: 'https://conformance-test.local/client-metadata.json' }),
  ...(context.client_id !== undefined && { clientId: context.client_id, clientSecret: context.client_secret }),
  ...(scenario.startsWith('auth/client-credentials') && {
    grantType: 'client_credentials',
    privateKey: context.private_key_pem,
    signingAlgorithm: context.signing_algorithm,
  }),
  ...(scenario.startsWith('auth/cross-app-access') && {
    grantType: 'jwt_bearer',
    identityProvider: {
      tokenUrl: context.idp_token_endpoint,
      clientId: context.idp_client_id,
      idToken: context.idp_id_token,
    },
  }),
};

let record;
const storage = {
  load: async () => record,
  save: async (next) => {
    record = next;
  },
};
const shared = { serverUrl: new URL(url), storage, config, fetch };
const source =
  config.grantType === undefined
    ? new OAuthSource({
        ...shared,
        // The page of the tests signs in whoever opens it.
        onAuthorizationUrl: (page) => void fetch(page),
        patience: 'wait',
      })
    : new MachineSource(shared);

const transport = await createTransport({
  endpoint: readEndpoint('test', { httpUrl: url }),
  cwd: process.cwd(),
  environment: process.env,
  fetch: authorizedFetch({ fetch, source, serverUrl: new URL(url) }),
});
const connection = await connectMcpServer({
  serverName: 'test',
  transport,
  // A user who agrees with everything that the form proposes.
  elicit: async () => ({ action: 'accept', content: {} }),
});
const toolContext = { callId: '1', cwd: '/', signal: new AbortController().signal, emit: () => {} };
for (const tool of connection.tools) {
  const input = tool.name.endsWith('add_numbers') ? { a: 5, b: 3 } : {};
  // A call that fails is what some scenarios are about.
  await tool.execute(input, toolContext).catch(() => undefined);
}
await connection.close();
process.exit(0);

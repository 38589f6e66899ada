import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

const stringMap = z.record(z.string(), z.string());

/** A server that lives in the app and is reached over the control channel. */
export const sdkMcpServerConfigSchema = lazySchema(() => openObject({ type: z.literal('sdk'), name: z.string() }));
export type SdkMcpServerConfig = z.infer<typeof sdkMcpServerConfigSchema>;

/** How a token for a server is got. */
export const authProviderTypeSchema = lazySchema(() =>
  z.enum(['dynamic_discovery', 'google_credentials', 'service_account_impersonation']),
);

/** OAuth facts of a server. */
export const mcpOAuthConfigSchema = lazySchema(() =>
  openObject({
    enabled: z.optional(z.boolean()),
    clientId: z.optional(z.string()),
    clientSecret: z.optional(z.string()),
    authorizationUrl: z.optional(z.string()),
    tokenUrl: z.optional(z.string()),
    scopes: z.optional(z.array(z.string())),
    audiences: z.optional(z.array(z.string())),
    redirectUri: z.optional(z.string()),
    tokenParamName: z.optional(z.string()),
    registrationUrl: z.optional(z.string()),
    /** The authorization server that `clientSecret` and the key are for; no other one gets to see them. */
    issuer: z.optional(z.string()),
    /** How tokens are got. The last two need no user. Default `authorization_code`. */
    grantType: z.optional(z.enum(['authorization_code', 'client_credentials', 'jwt_bearer'])),
    /** Instead of a secret: the key that signs for the client, as PEM, or the absolute path of a file with it. */
    privateKey: z.optional(z.string()),
    privateKeyFile: z.optional(z.string()),
    /** Default: what goes with the key. */
    signingAlgorithm: z.optional(z.enum(['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256'])),
    /** `jwt_bearer`: who signed the user in, and vouches for that at the authorization server. */
    identityProvider: z.optional(
      openObject({
        tokenUrl: z.string(),
        clientId: z.string(),
        clientSecret: z.optional(z.string()),
        /** The ID token of the user, or the absolute path of a file with it, read each time. */
        idToken: z.optional(z.string()),
        idTokenFile: z.optional(z.string()),
      }),
    ),
  }),
);
export type McpOAuthConfig = z.infer<typeof mcpOAuthConfigSchema>;

/** A server that the CLI starts or connects to by itself. Exactly one of command, url, httpUrl, tcp says how. */
export const cliMcpServerConfigSchema = lazySchema(() =>
  openObject({
    /** Says what a `url` is: `http`, `sse` or `ws`; `stdio` goes with a command. Missing: `url` is SSE. */
    type: z.optional(z.string()),
    /** stdio: the program, its arguments, variables and folder. */
    command: z.optional(z.string()),
    args: z.optional(z.array(z.string())),
    env: z.optional(stringMap),
    cwd: z.optional(z.string()),
    /** Server-Sent Events endpoint. */
    url: z.optional(z.string()),
    /** Streamable HTTP endpoint. */
    httpUrl: z.optional(z.string()),
    headers: z.optional(stringMap),
    /** `host:port`, or a `ws://` URL. */
    tcp: z.optional(z.string()),
    /** Milliseconds for one request to the server, and for its start. */
    timeout: z.optional(z.number()),
    /** Start it with the first call of one of its tools; until then its tools come from the list of the last time. */
    lazy: z.optional(z.boolean()),
    /** Run its tools without asking. */
    trust: z.optional(z.boolean()),
    description: z.optional(z.string()),
    includeTools: z.optional(z.array(z.string())),
    excludeTools: z.optional(z.array(z.string())),
    extensionName: z.optional(z.string()),
    oauth: z.optional(mcpOAuthConfigSchema),
    authProviderType: z.optional(authProviderTypeSchema),
    targetAudience: z.optional(z.string()),
    targetServiceAccount: z.optional(z.string()),
  }),
);
export type CliMcpServerConfig = z.infer<typeof cliMcpServerConfigSchema>;

/** A subagent of this session. */
export const agentConfigSchema = lazySchema(() =>
  openObject({
    name: z.string(),
    description: z.optional(z.string()),
    /** Names of the tools it may use; all of the session's when missing. */
    tools: z.optional(z.array(z.string())),
    /** Tools that it may not use, of those. */
    disallowedTools: z.optional(z.array(z.string())),
    systemPrompt: z.optional(z.string()),
    /** Short for `modelConfig.model`; `inherit` is the model of the session. */
    model: z.optional(z.string()),
    level: z.optional(z.string()),
    filePath: z.optional(z.string()),
    color: z.optional(z.string()),
    modelConfig: z.optional(
      openObject({ model: z.optional(z.string()), temp: z.optional(z.number()), topP: z.optional(z.number()) }),
    ),
    runConfig: z.optional(openObject({ maxTimeMinutes: z.optional(z.number()), maxTurns: z.optional(z.number()) })),
  }),
);
export type AgentConfig = z.infer<typeof agentConfigSchema>;

/** The subagent that is there without being configured; one of this name that is takes its place. */
export const GENERAL_AGENT_NAME = 'general-purpose';

/**
 * How long each side waits for the other, in milliseconds. 0 means: for ever.
 * The asker owns the clock; the SDK sends the ones that the CLI owns along in `initialize`.
 */
export const timeoutsSchema = lazySchema(() =>
  openObject({
    canUseTool: z.optional(z.number()),
    mcpRequest: z.optional(z.number()),
    controlRequest: z.optional(z.number()),
    streamClose: z.optional(z.number()),
    initialize: z.optional(z.number()),
  }),
);
export type Timeouts = z.infer<typeof timeoutsSchema>;

/** Prompts that may wait for a turn. A further one is refused with `overloaded`. */
export const MAX_QUEUED_PROMPTS = 32;

/** What holds where nothing is configured: 60 s each. */
export const DEFAULT_TIMEOUTS: Readonly<Record<keyof Timeouts, number>> = {
  canUseTool: 60_000,
  mcpRequest: 60_000,
  controlRequest: 60_000,
  streamClose: 60_000,
  initialize: 60_000,
};

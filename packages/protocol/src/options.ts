import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { SANDBOX_MODES } from './modes.js';
import { openObject } from './open-object.js';

const stringMap = z.record(z.string(), z.string());

export const sdkMcpServerConfigSchema = lazySchema(() => openObject({ type: z.literal('sdk'), name: z.string() }));
export type SdkMcpServerConfig = z.infer<typeof sdkMcpServerConfigSchema>;

/** Source of a server's tokens. */
const authProviderTypeSchema = lazySchema(() =>
  z.enum(['dynamic_discovery', 'google_credentials', 'service_account_impersonation']),
);

/** OAuth configuration of a server. */
const mcpOAuthConfigSchema = lazySchema(() =>
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
    /** The authorization server that may receive `clientSecret` and the key. */
    issuer: z.optional(z.string()),
    /** OAuth grant. The last two need no user. Default: `authorization_code`. */
    grantType: z.optional(z.enum(['authorization_code', 'client_credentials', 'jwt_bearer'])),
    /** Instead of a secret: the client's signing key as PEM, or the absolute path of a file. */
    privateKey: z.optional(z.string()),
    privateKeyFile: z.optional(z.string()),
    /** Default: derived from the key. */
    signingAlgorithm: z.optional(z.enum(['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256'])),
    /** `jwt_bearer`: a JWT of the workload itself, or the absolute path of a file that is read each time. */
    assertion: z.optional(z.string()),
    assertionFile: z.optional(z.string()),
    /** `jwt_bearer` for a user: the identity provider that signed the user in. */
    identityProvider: z.optional(
      openObject({
        tokenUrl: z.string(),
        clientId: z.string(),
        clientSecret: z.optional(z.string()),
        /** The user's ID token, or the absolute path of a file that is read each time. */
        idToken: z.optional(z.string()),
        idTokenFile: z.optional(z.string()),
      }),
    ),
  }),
);
export type McpOAuthConfig = z.infer<typeof mcpOAuthConfigSchema>;

/** A server the CLI starts or connects to. Exactly one of command, url, httpUrl and tcp is set. */
export const cliMcpServerConfigSchema = lazySchema(() =>
  openObject({
    /** Kind of `url`: `http`, `sse` or `ws`; `stdio` for a command. Default: SSE. */
    type: z.optional(z.string()),
    command: z.optional(z.string()),
    args: z.optional(z.array(z.string())),
    env: z.optional(stringMap),
    cwd: z.optional(z.string()),
    url: z.optional(z.string()),
    /** Streamable HTTP endpoint. */
    httpUrl: z.optional(z.string()),
    headers: z.optional(stringMap),
    /** `host:port`, or a `ws://` URL. */
    tcp: z.optional(z.string()),
    /** Milliseconds per request, and for the start. */
    timeout: z.optional(z.number()),
    /** Start on the first call; until then, the remembered tools are offered. */
    lazy: z.optional(z.boolean()),
    /** Whether the first turn waits until it is ready or has failed. Default: at most 2 seconds. */
    required: z.optional(z.boolean()),
    trust: z.optional(z.boolean()),
    /** Runs the command in the sandbox; `true`: `read-only`. */
    sandbox: z.optional(z.union([z.boolean(), z.enum(SANDBOX_MODES)])),
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
    /** Default: all tools of the session. */
    tools: z.optional(z.array(z.string())),
    /** Removed from those tools. */
    disallowedTools: z.optional(z.array(z.string())),
    systemPrompt: z.optional(z.string()),
    /** Short for `modelConfig.model`; `inherit`: the model of the session. */
    model: z.optional(z.string()),
    level: z.optional(z.string()),
    filePath: z.optional(z.string()),
    color: z.optional(z.string()),
    modelConfig: z.optional(
      openObject({ model: z.optional(z.string()), temp: z.optional(z.number()), topP: z.optional(z.number()) }),
    ),
    runConfig: z.optional(
      openObject({
        maxTimeMinutes: z.optional(z.number()),
        maxTurns: z.optional(z.number()),
        /** The names of qwen-code. */
        max_time_minutes: z.optional(z.number()),
        max_turns: z.optional(z.number()),
      }),
    ),
  }),
);
export type AgentConfig = z.infer<typeof agentConfigSchema>;

/** The subagent of calls that name none; a configured one with this name replaces it. */
export const GENERAL_AGENT_NAME = 'general-purpose';

/** The built-in subagents, in the order in which they are listed. */
export const BUILTIN_AGENT_NAMES = [GENERAL_AGENT_NAME, 'explore', 'plan'] as const;

/**
 * Timeouts in milliseconds; 0 means none. The requester runs the timer; the SDK sends the CLI's timeouts in
 * `initialize`.
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

/** Queued prompts at most; a further one is rejected with `overloaded`. */
export const MAX_QUEUED_PROMPTS = 32;

/** 60 s each. */
export const DEFAULT_TIMEOUTS: Readonly<Record<keyof Timeouts, number>> = {
  canUseTool: 60_000,
  mcpRequest: 60_000,
  controlRequest: 60_000,
  streamClose: 60_000,
  initialize: 60_000,
};

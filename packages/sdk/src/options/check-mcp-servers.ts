import {
  AgentError,
  type CliMcpServerConfig,
  cliMcpServerConfigSchema,
  describeIssue,
  type McpOAuthConfig,
} from '@qwen/protocol';
import { REFUSED_SERVER_MEMBERS, suggestedName } from './foreign-options.js';
import type { McpServerConfig } from './options.js';
import { copied } from './options-schema.js';

/** The ways to reach a server of the CLI; a configuration names exactly one. */
const WAYS = ['command', 'url', 'httpUrl', 'tcp'] as const;

const APP_MEMBERS: readonly string[] = ['type', 'name', 'instance', 'alwaysLoad'];

const CLI_MEMBERS: readonly string[] = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'httpUrl',
  'headers',
  'tcp',
  'timeout',
  'lazy',
  'trust',
  'sandbox',
  'description',
  'includeTools',
  'excludeTools',
  'extensionName',
  'oauth',
  'authProviderType',
  'targetAudience',
  'targetServiceAccount',
  'alwaysLoad',
] satisfies (keyof CliMcpServerConfig | 'alwaysLoad')[];

const OAUTH_MEMBERS: readonly string[] = [
  'enabled',
  'clientId',
  'clientSecret',
  'authorizationUrl',
  'tokenUrl',
  'scopes',
  'audiences',
  'redirectUri',
  'tokenParamName',
  'registrationUrl',
  'issuer',
  'grantType',
  'privateKey',
  'privateKeyFile',
  'signingAlgorithm',
  'assertion',
  'assertionFile',
  'identityProvider',
] satisfies (keyof McpOAuthConfig)[];

/** Throws `invalid_options`. */
export function checkMcpServers(
  servers: Readonly<Record<string, McpServerConfig>>,
  place = 'options.mcpServers',
): void {
  for (const [name, config] of Object.entries(servers)) {
    const fault = faultOf(name, config);
    if (fault !== undefined) throw new AgentError('invalid_options', `${place}.${fault}`);
  }
}

function faultOf(name: string, config: unknown): string | undefined {
  if (typeof config !== 'object' || config === null) return `${name}: expected object`;
  const isOfApp = 'type' in config && config.type === 'sdk';
  const known = isOfApp ? APP_MEMBERS : CLI_MEMBERS;
  const unknown = unknownMember(name, config, known);
  if (unknown !== undefined) return unknown;
  if (isOfApp) {
    return 'instance' in config && isServer(config.instance)
      ? undefined
      : `${name}.instance: expected an MCP server with connect() and close()`;
  }
  const parsed = cliMcpServerConfigSchema.safeParse('env' in config ? { ...config, env: copied(config.env) } : config);
  if (!parsed.success) return describeIssue(name, parsed.error);
  const ofOAuth = unknownMember(`${name}.oauth`, parsed.data.oauth ?? {}, OAUTH_MEMBERS);
  if (ofOAuth !== undefined) return ofOAuth;
  const ways = WAYS.filter((way) => parsed.data[way] !== undefined);
  return ways.length === 1 ? undefined : `${name}: expected exactly one of ${WAYS.join(', ')}`;
}

function unknownMember(place: string, value: object, known: readonly string[]): string | undefined {
  const name = Object.entries(value).find(([member, given]) => given !== undefined && !known.includes(member))?.[0];
  if (name === undefined) return undefined;
  const reason = Object.hasOwn(REFUSED_SERVER_MEMBERS, name) ? REFUSED_SERVER_MEMBERS[name] : undefined;
  if (reason !== undefined) return `${place}.${name} is not supported by this version: ${reason}`;
  const nearest = suggestedName(name, known);
  return `${place}.${name} does not exist${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

function isServer(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'connect' in value &&
    typeof value.connect === 'function' &&
    'close' in value &&
    typeof value.close === 'function'
  );
}

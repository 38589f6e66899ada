import { AgentError, type CliMcpServerConfig, cliMcpServerConfigSchema, describeIssue } from '@qwen/protocol';
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
  const unknown = Object.entries(config).find(([member, value]) => value !== undefined && !known.includes(member));
  if (unknown !== undefined) {
    const reason = Object.hasOwn(REFUSED_SERVER_MEMBERS, unknown[0]) ? REFUSED_SERVER_MEMBERS[unknown[0]] : undefined;
    if (reason !== undefined) return `${name}.${unknown[0]} is not supported by this version: ${reason}`;
    const nearest = suggestedName(unknown[0], known);
    return `${name}.${unknown[0]} does not exist${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
  }
  if (isOfApp) {
    return 'instance' in config && isServer(config.instance)
      ? undefined
      : `${name}.instance: expected an MCP server with connect() and close()`;
  }
  const parsed = cliMcpServerConfigSchema.safeParse('env' in config ? { ...config, env: copied(config.env) } : config);
  if (!parsed.success) return describeIssue(name, parsed.error);
  const ways = WAYS.filter((way) => parsed.data[way] !== undefined);
  return ways.length === 1 ? undefined : `${name}: expected exactly one of ${WAYS.join(', ')}`;
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

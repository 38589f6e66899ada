import { resolve } from 'node:path';
import { parseRule } from '@qwen/agent';
import {
  AgentError,
  isLooserSandbox,
  SANDBOX_OPTIONS,
  type SandboxMode,
  type SandboxOption,
  TOOL_TABLE,
} from '@qwen/protocol';
import type { SandboxPolicy } from '@qwen/tools';
import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';
import type { SandboxPreferences } from './settings.js';

export interface SandboxChoice {
  readonly mode: SandboxMode;
  /** Whether the start fails without it; otherwise every command is asked about. */
  readonly isRequired: boolean;
  /** Why nothing may run, if a looser mode was requested than this one. */
  readonly refusal?: string;
  /** Nothing selects it: without it, commands run as without a sandbox. */
  readonly isDefault: boolean;
  readonly autoAllows: boolean;
  readonly mayLeave: boolean;
  readonly excludedCommands: readonly string[];
  readonly hosts: NonNullable<SandboxPolicy['network']>;
  readonly policy: Omit<SandboxPolicy, 'roots' | 'network'>;
}

export interface SandboxSources extends PolicySources {
  readonly flags: Pick<Flags, 'sandbox'>;
  readonly environment: Pick<Environment, 'QWEN_SANDBOX' | 'QWEN_SANDBOX_LIMIT'>;
  /** Whether it is on unless it is switched off. Default false. */
  readonly isOnByDefault?: boolean | undefined;
}

interface PolicySources {
  readonly preferences: SandboxPreferences;
  readonly cwd: string;
  readonly homeDirectory: string;
  readonly configDir: string;
}

const DEFAULT_LIMITS = { processes: 512, memoryMiB: 4096 };

/** Undefined: no sandbox. Throws `usage`. */
export function chooseSandbox(sources: SandboxSources): SandboxChoice | undefined {
  const { isOnByDefault = false, preferences } = sources;
  const { settings, isOfProject } = preferences;
  const { flags, environment } = sources;
  const ofVariable = readVariable(environment.QWEN_SANDBOX);
  const requested = flags.sandbox ?? ofVariable;
  const ofSettings = (settings.enabled ?? isOnByDefault) ? (settings.mode ?? 'workspace-write') : 'off';
  const limit = environment.QWEN_SANDBOX_LIMIT === undefined ? 'off' : (ofVariable ?? ofSettings);
  const isRefused = flags.sandbox !== undefined && isLooserSandbox(flags.sandbox, limit);
  const mode = isRefused ? limit : (requested ?? ofSettings);
  if (mode === 'off') return undefined;
  return {
    mode,
    ...(isRefused && { refusal: refuse(flags.sandbox, limit) }),
    isRequired: requested !== undefined || settings.failIfUnavailable === true,
    isDefault: requested === undefined && settings.enabled === undefined,
    autoAllows: settings.autoAllowBashIfSandboxed ?? (requested !== undefined || isOnByDefault || !isOfProject),
    mayLeave: settings.allowUnsandboxedCommands ?? true,
    excludedCommands: settings.excludedCommands ?? [],
    hosts: hostsOf(preferences),
    policy: policyOf(mode, sources),
  };
}

interface PolicyParts extends Omit<PolicySources, 'preferences'> {
  readonly settings: { readonly sandbox: SandboxPreferences };
  readonly additionalRoots: readonly string[];
  readonly sandbox?: Pick<SandboxChoice, 'mode'>;
}

/** The sandbox of an MCP server that requests one, whether commands run in a sandbox or not. */
export function serverSandbox(
  requested: SandboxMode | true,
  { sandbox, additionalRoots, settings, cwd, homeDirectory, configDir }: PolicyParts,
): SandboxPolicy {
  const mode = requested === 'workspace-write' && sandbox?.mode !== 'read-only' ? requested : 'read-only';
  const sources = { preferences: settings.sandbox, cwd, homeDirectory, configDir };
  const network = hostsOf(settings.sandbox);
  return {
    ...policyOf(mode, sources),
    roots: [cwd, ...additionalRoots],
    // No one is asked about the hosts of a server.
    ...(network.allowed.length > 0 && { network }),
  };
}

function hostsOf({ settings: { network } }: SandboxPreferences): SandboxChoice['hosts'] {
  return { allowed: network?.allowedDomains ?? [], denied: network?.deniedDomains ?? [] };
}

function policyOf(mode: SandboxMode, sources: PolicySources): SandboxChoice['policy'] {
  const { homeDirectory, configDir: dataDir } = sources;
  const { filesystem = {}, network, limits } = sources.preferences.settings;
  const { allowWrite = [], denyWrite = [], denyRead = [], allowRead = [] } = filesystem;
  const paths = (list: readonly string[]) => list.map((path) => toAbsolute(path, sources));
  return {
    mode,
    homeDirectory,
    dataDir,
    allowWrite: paths(allowWrite),
    denyWrite: paths(denyWrite),
    denyRead: paths(denyRead),
    allowRead: paths(allowRead),
    allowUnixSockets: paths(network?.allowUnixSockets ?? []),
    limits: {
      processes: limits?.processes ?? DEFAULT_LIMITS.processes,
      memoryMiB: limits?.memoryMiB ?? DEFAULT_LIMITS.memoryMiB,
    },
  };
}

function refuse(requested: SandboxOption, limit: SandboxOption): string {
  const problem = `The sandbox ${requested} is looser than ${limit}, which the server or the settings of the folder select.`;
  return `${problem} Select ${limit}, or start the server with --allow-looser-sandbox.`;
}

function readVariable(text: string | undefined): SandboxOption | undefined {
  const known = SANDBOX_OPTIONS.find((mode) => mode === text);
  if (text !== undefined && known === undefined) {
    throw new AgentError('usage', `QWEN_SANDBOX must be one of ${SANDBOX_OPTIONS.join(', ')}, not "${text}"`);
  }
  return known;
}

/** `//x` is absolute, as in permission rules. */
function toAbsolute(path: string, { cwd, homeDirectory }: PolicySources): string {
  return resolve(cwd, path.replace(/^~(?=$|\/)/, homeDirectory).replace(/^\/\//, '/'));
}

/** For tools that run in this process. */
export function sandboxRules(choice: SandboxChoice | undefined): string[] {
  if (choice === undefined) return [];
  const { denyRead, denyWrite } = choice.policy;
  const literal = (path: string) => `/${path.replaceAll(/[[\]{}()*?!@+|\\]/g, String.raw`\$&`)}`;
  const rules = (tool: string, paths: readonly string[]) => paths.map((path) => `${tool}(${literal(path)})`);
  return [...rules('Read', denyRead), ...rules('Edit', [...denyRead, ...denyWrite])];
}

/** Rules for `web_fetch`: what commands reach without a question, it may fetch; what they never reach, it may not. */
export function sandboxHosts(preferences: SandboxPreferences, choice: SandboxChoice | undefined) {
  const rules = (hosts: readonly string[]) => hosts.map((host) => `WebFetch(domain:${host})`);
  return {
    allow: rules(choice?.autoAllows === true ? choice.hosts.allowed : []),
    deny: rules(hostsOf(preferences).denied),
  };
}

/** Commands do not reach hosts that a deny rule of `web_fetch` names. */
export function withDeniedHosts(choice: SandboxChoice | undefined, deny: readonly string[]): SandboxChoice | undefined {
  if (choice === undefined) return undefined;
  const denied = deny.flatMap((text) => {
    const { tool, specifier = '' } = parseRule(text);
    return tool === TOOL_TABLE.web_fetch.name ? (/^domain:\s*(.+)$/.exec(specifier)?.slice(1) ?? []) : [];
  });
  return { ...choice, hosts: { ...choice.hosts, denied: [...new Set([...choice.hosts.denied, ...denied])] } };
}

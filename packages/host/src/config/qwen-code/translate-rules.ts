import { parseRule } from '@qwen/agent';
import {
  findBuiltinTool,
  isJsonObject,
  type JsonObject,
  PERMISSION_MODES,
  type PermissionMode,
  type Settings,
} from '@qwen/protocol';
import type { ExtraSettings } from '../settings.js';
import { type MemberReader, valueAt } from './member-reader.js';

interface Rules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly isLost: boolean;
}

export function readRules(reader: MemberReader): Rules {
  const allow = readNames(reader, 'tools.allowed', isRule).map(withArguments);
  const unread = reader.unused.length;
  const denied = ['tools.exclude', 'tools.disabled'].flatMap((path) => readNames(reader, path, isRule));
  const servers = readNames(reader, 'mcp.excluded', (name) => isRule(`mcp__${name}`)).map((name) => `mcp__${name}`);
  return { allow, deny: [...denied.map(withArguments), ...servers], isLost: reader.unused.length > unread };
}

function isRule(text: string): boolean {
  try {
    parseRule(text);
    return true;
  } catch {
    return false;
  }
}

/** There, a command without `*` also means the command with arguments. */
function withArguments(rule: string): string {
  const [, name = '', command = ''] = /^\s*([\w-]+)\(([^*]*[^*:\s])\s*\)\s*$/.exec(rule) ?? [];
  return findBuiltinTool(name) === 'run_shell_command' ? `${name}(${command}:*)` : rule;
}

export function readNames(reader: MemberReader, path: string, fits: (name: string) => boolean = () => true): string[] {
  const value = reader.take(path);
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    reader.refuse(path, 'expected a list of strings');
    return [];
  }
  return value.filter((item: unknown, index): item is string => {
    const isFit = typeof item === 'string' && fits(item);
    if (!isFit) reader.refuse(`${path}.${index}`, typeof item === 'string' ? 'unexpected value' : 'expected string');
    return isFit;
  });
}

export function readSelection(reader: MemberReader): Pick<ExtraSettings, 'coreTools' | 'allowedMcpServers'> {
  const hasCore = Array.isArray(reader.has('tools.core') ? valueAt(reader.rest, ['tools', 'core']) : undefined);
  const core = readNames(reader, 'tools.core').flatMap((text, index) => {
    const [name = '', specifier] = text.split('(');
    const tool = findBuiltinTool(name.trim());
    // With an argument, only some calls of the tool are meant: leaving it out is the safe reading.
    if (tool !== undefined && specifier === undefined) return [tool];
    reader.refuse(`tools.core.${index}`, tool === undefined ? 'no such tool' : 'no arguments here; use permissions');
    return [];
  });
  const hasAllowed = Array.isArray(valueAt(reader.rest, ['mcp', 'allowed']));
  const allowed = readNames(reader, 'mcp.allowed');
  return { ...(hasCore && { coreTools: core }), ...(hasAllowed && { allowedMcpServers: allowed }) };
}

/** `permissions.defaultMode` is the stronger one. */
export function readMode(reader: MemberReader): { readonly defaultMode?: PermissionMode } {
  const given = reader.take('tools.approvalMode');
  const said = valueAt(reader.rest, ['permissions', 'defaultMode']);
  if (said === 'auto' || said === 'dontAsk') {
    reader.take('permissions.defaultMode');
    reader.refuse('permissions.defaultMode', `no mode ${said}; qwen asks`);
  }
  if (given === undefined) return {};
  const mode = PERMISSION_MODES.find((each) => each === given);
  if (mode !== undefined) return { defaultMode: mode };
  reader.refuse('tools.approvalMode', `no mode ${JSON.stringify(given)}; qwen asks`);
  return {};
}

export function withRules(settings: JsonObject, { allow, deny }: Rules): JsonObject {
  const { permissions } = settings;
  if (!isJsonObject(permissions)) return settings;
  const add = (name: string, more: readonly string[], change: (rule: string) => string) => {
    const given = permissions[name];
    if (given !== undefined && !Array.isArray(given)) return {};
    const rules = (given ?? []).map((rule: unknown) => (typeof rule === 'string' ? change(rule) : rule));
    return rules.length + more.length === 0 ? {} : { [name]: [...rules, ...more] };
  };
  const same = (rule: string): string => rule;
  return {
    ...settings,
    permissions: {
      ...permissions,
      ...add('allow', allow, same),
      ...add('ask', [], withArguments),
      ...add('deny', deny, withArguments),
    },
  };
}

interface Doubts {
  /** Something that would have denied calls has no effect. */
  readonly isLost: boolean;
  readonly isConfined: boolean;
  readonly modeName: string;
  readonly reader: MemberReader;
}

/** Nothing is allowed on the strength of a file whose safeguards are missing. */
export function confine(settings: Settings, { isLost, isConfined, modeName, reader }: Doubts): Settings {
  const { permissions: { allow, defaultMode, ...permissions } = {} } = settings;
  const isWide = defaultMode !== undefined && defaultMode !== 'plan' && defaultMode !== 'default';
  if (!isLost && !(isConfined && isWide)) return settings;
  if (isWide)
    reader.refuse(modeName, `${defaultMode} needs a rule, hook or sandbox that has no effect here; qwen asks`);
  if (isLost && allow !== undefined && allow.length > 0)
    reader.refuse('permissions.allow', 'a deny rule or hook of the file has no effect');
  const servers = Object.entries(settings.mcpServers ?? {});
  const trusted = servers.filter(([, { trust }]) => isLost && trust === true);
  for (const [name] of trusted)
    reader.refuse(`mcpServers.${name}.trust`, 'a deny rule or hook of the file has no effect');
  return {
    ...settings,
    ...(trusted.length > 0 && {
      mcpServers: Object.fromEntries(servers.map(([name, { trust: _trust, ...config }]) => [name, config])),
    }),
    permissions: {
      ...permissions,
      ...(!isWide && defaultMode !== undefined && { defaultMode }),
      ...(!isLost && allow !== undefined && { allow }),
    },
  };
}

import { AgentError, type CliMcpServerConfig } from '@qwen/protocol';
import type { WordFlags } from '../words/command-spec.js';
import { readWords } from '../words/read-words.js';
import { MCP, type SCOPES } from './spec.js';

const FLAGS: WordFlags = MCP.verbs.add.flags;

export interface DescribedServer {
  readonly name: string;
  readonly scope: (typeof SCOPES)[number];
  readonly config: CliMcpServerConfig;
}

const NAME = /^[\w.-]{1,64}$/;

/** Reads `NAME COMMAND ARG...` or `NAME URL`, with flags before the command. Throws `usage`. */
export function readServer(words: readonly string[]): DescribedServer {
  const { own, command } = splitAtCommand(words);
  const { flags, rest } = readWords(own, { command: 'mcp add', flags: MCP.verbs.add.flags });
  const { env: pairs = [], header: headerLines = [] } = flags;
  const [name = ''] = rest;
  const [target, ...args] = command;
  if (!NAME.test(name))
    throw new AgentError(
      'usage',
      'mcp add: expected NAME COMMAND or NAME URL; a name has letters, digits, ".", "_" and "-"',
    );
  if (target === undefined) throw new AgentError('usage', 'mcp add: expected a command or a URL after the name');
  const place = readPlace(target, { transport: flags.transport, args });
  const timeout = flags.timeout === undefined ? undefined : Number(flags.timeout);
  if (timeout !== undefined && !(Number.isInteger(timeout) && timeout > 0)) {
    throw new AgentError('usage', 'mcp add: --timeout takes milliseconds');
  }
  const env = Object.fromEntries(pairs.map((pair) => cutAt(pair, '=', '--env KEY=VALUE')));
  const headers = Object.fromEntries(headerLines.map((pair) => cutAt(pair, ':', '--header "NAME: VALUE"')));
  const isProgram = place.command !== undefined;
  if (isProgram && headerLines.length > 0) throw new AgentError('usage', 'mcp add: --header needs a URL');
  if (!isProgram && pairs.length > 0) throw new AgentError('usage', 'mcp add: --env needs a command');
  return {
    name,
    scope: flags.scope ?? 'user',
    config: {
      ...place,
      ...(pairs.length > 0 && { env }),
      ...(headerLines.length > 0 && { headers }),
      ...(timeout !== undefined && { timeout }),
      ...(flags.trust === true && { trust: true }),
      ...(flags.lazy === true && { lazy: true }),
      ...(flags.description !== undefined && { description: flags.description }),
      ...(flags['include-tools'] !== undefined && { includeTools: toList(flags['include-tools']) }),
      ...(flags['exclude-tools'] !== undefined && { excludeTools: toList(flags['exclude-tools']) }),
    },
  };
}

/** Words after the command belong to it, flags included. */
function splitAtCommand(words: readonly string[]): { own: readonly string[]; command: readonly string[] } {
  let names = 0;
  for (const [index, word] of words.entries()) {
    if (word === '--') return { own: words.slice(0, index), command: words.slice(index + 1) };
    if (word.startsWith('-') || takesNext(words[index - 1])) continue;
    names += 1;
    if (names === 2) {
      const command = words.slice(index);
      // Our flags may follow a URL.
      const isUrl = URL.canParse(word) && word.includes('://');
      return isUrl
        ? { own: [...words.slice(0, index), ...command.slice(1)], command: [word] }
        : { own: words.slice(0, index), command };
    }
  }
  return { own: words, command: [] };
}

function takesNext(flag: string | undefined): boolean {
  if (flag === undefined || !flag.startsWith('-')) return false;
  return Object.entries(FLAGS).some(
    ([name, spec]) =>
      spec.type === 'string' && (flag === `--${name}` || (spec.short !== undefined && flag === `-${spec.short}`)),
  );
}

interface PlaceWords {
  readonly transport: string | undefined;
  readonly args: readonly string[];
}

function readPlace(target: string, { transport, args }: PlaceWords): CliMcpServerConfig {
  const isUrl = /^[a-z][a-z\d+.-]*:\/\//i.test(target);
  switch (transport ?? (isUrl ? 'http' : 'stdio')) {
    case 'stdio':
      return { command: target, ...(args.length > 0 && { args: [...args] }) };
    case 'http':
      return target.startsWith('ws') ? { url: target } : { httpUrl: target };
    case 'sse':
    case 'ws':
      return { url: target };
    case 'tcp':
      return { tcp: target };
    default:
      throw new AgentError('usage', `mcp add: --transport "${transport}" is not one of stdio, http, sse, ws, tcp`);
  }
}

function cutAt(pair: string, separator: string, form: string): [string, string] {
  const at = pair.indexOf(separator);
  if (at < 1) throw new AgentError('usage', `mcp add: expected ${form}`);
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

function toList(text: string): string[] {
  return text.split(',').flatMap((word) => word.trim() || []);
}

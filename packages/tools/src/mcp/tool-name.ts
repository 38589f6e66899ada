import { createHash } from 'node:crypto';

/** The limit of providers. */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;
/** Leaves room for the name of a tool. */
const MAX_SERVER_LENGTH = 30;

/** Unique per server, by a hash if the name has to change. Never contains `__`. */
export function toServerPart(serverName: string): string {
  const safe = toSafe(serverName)
    .replace(/_{2,}/g, '_')
    .replace(/^_+|_+$/g, '');
  const isPlain = safe !== '' && safe === serverName && safe.length <= MAX_SERVER_LENGTH;
  return isPlain ? safe : withHash(safe, serverName, MAX_SERVER_LENGTH);
}

/** `mcp__<server>__<tool>` with letters, digits, `_` and `-`, unique and stable. */
export function toToolNames(serverName: string, toolNames: readonly string[]): string[] {
  const prefix = `mcp__${toServerPart(serverName)}__`;
  const maxLength = MAX_NAME_LENGTH - prefix.length;
  const taken = new Set<string>();
  return toolNames.map((toolName, index) => {
    const safe = toSafe(toolName);
    const isFree = safe !== '' && safe.length <= maxLength && !taken.has(safe.toLowerCase());
    let name = isFree ? safe : withHash(safe, toolName, maxLength);
    // For a name that is listed twice.
    if (taken.has(name.toLowerCase())) name = withHash(safe, `${toolName}\0${index}`, maxLength);
    taken.add(name.toLowerCase());
    return prefix + name;
  });
}

function toSafe(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

function withHash(safe: string, whole: string, maxLength: number): string {
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_LENGTH);
  const start = safe.slice(0, maxLength - HASH_LENGTH - 1).replace(/_+$/, '');
  return start === '' ? hash : `${start}_${hash}`;
}

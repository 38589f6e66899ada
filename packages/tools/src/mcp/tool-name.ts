import { createHash } from 'node:crypto';

/** Providers refuse longer names of functions. */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;
/** Leaves room for the prefix, the separator and a tool's name that still can be read. */
const MAX_SERVER_LENGTH = 30;

/**
 * The part of our tool names that stands for a server. Two servers never get the same one: whatever had to be changed
 * about a name brings a hash of the whole name with it. Never holds the separator `__` (S93).
 */
export function toServerPart(serverName: string): string {
  const safe = toSafe(serverName)
    .replace(/_{2,}/g, '_')
    .replace(/^_+|_+$/g, '');
  const isPlain = safe !== '' && safe === serverName && safe.length <= MAX_SERVER_LENGTH;
  return isPlain ? safe : withHash(safe, serverName, MAX_SERVER_LENGTH);
}

/**
 * Names for the tools of one server, `mcp__<server>__<tool>`, in their order: letters, digits, `_` and `-`, at most 64,
 * each different, also for names that differ only at their far end (F111). The same tools give the same names.
 */
export function toToolNames(serverName: string, toolNames: readonly string[]): string[] {
  const prefix = `mcp__${toServerPart(serverName)}__`;
  const maxLength = MAX_NAME_LENGTH - prefix.length;
  const taken = new Set<string>();
  return toolNames.map((toolName, index) => {
    const safe = toSafe(toolName);
    const isFree = safe !== '' && safe.length <= maxLength && !taken.has(safe.toLowerCase());
    let name = isFree ? safe : withHash(safe, toolName, maxLength);
    // A server may list one name twice; the place in the list tells the two apart.
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

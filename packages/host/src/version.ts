import { readFileSync } from 'node:fs';

let version: string | undefined;

/** The version of this package; read when it is first asked for. */
export function readVersion(): string {
  version ??= String(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
  return version;
}

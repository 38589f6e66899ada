import { readFileSync } from 'node:fs';

let version: string | undefined;

/** The package version; read on first use. */
export function readVersion(): string {
  version ??= String(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
  return version;
}

import { createRequire } from 'node:module';
import { QWEN_VERSION } from '@qwen/protocol';
import type { Check, Finding } from './finding.js';

export const checkProgram: Check = async () => [
  {
    area: 'program',
    level: 'ok',
    message: `qwen ${QWEN_VERSION} on Node.js ${process.versions.node}, ${process.platform}`,
  },
  checkServer(QWEN_VERSION, findServerVersion()),
];

/** Both packages must have the same version. */
export function checkServer(own: string, server: string | undefined): Finding {
  if (server === undefined) {
    return { area: 'program', level: 'ok', message: '@qwen/server is not installed; only qwen serve needs it' };
  }
  if (server === own) return { area: 'program', level: 'ok', message: `@qwen/server ${server}` };
  return {
    area: 'program',
    level: 'warning',
    message: `@qwen/server has version ${server}, but qwen has version ${own}`,
    advice: `npm install --global @qwen/server@${own}`,
  };
}

function findServerVersion(): string | undefined {
  try {
    const manifest: unknown = createRequire(import.meta.url)('@qwen/server/package.json');
    if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return undefined;
    return String(manifest.version);
  } catch {
    return undefined;
  }
}

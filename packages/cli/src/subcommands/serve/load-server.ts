import { createRequire } from 'node:module';
import { AgentError, systemCodeOf } from '@qwen/protocol';
import type { ServeModule } from './serve-module.js';

/** An optional package. */
export function loadServer(): ServeModule {
  try {
    // `require`, because `import` in cached code triggers a Node.js warning.
    return createRequire(import.meta.url)('@qwen/server');
  } catch (thrown) {
    if (systemCodeOf(thrown) !== 'MODULE_NOT_FOUND') throw thrown;
    const message = 'qwen serve needs the package @qwen/server. Install it with: npm install --global @qwen/server';
    throw new AgentError('usage', message, { cause: thrown });
  }
}

import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Replaces `crypto.randomUUID()` by `random-uuid.ts`, which does not load `node:crypto` (docs/decisions/0006). */
export const ownUuids: Plugin = {
  name: 'own-uuids',
  setup({ initialOptions }) {
    initialOptions.define = { ...initialOptions.define, 'crypto.randomUUID': 'randomUUID' };
    initialOptions.inject = [
      ...(initialOptions.inject ?? []),
      fileURLToPath(new URL('random-uuid.ts', import.meta.url)),
    ];
  },
};

import type { CommandSpec, WordFlag } from '../words/command-spec.js';
import { SERVE_FLAGS, SERVE_HELP } from './read-serve-flags.js';

export const SERVE: CommandSpec = {
  meaning: 'Serve sessions over HTTP, with a web page.',
  own: { meaning: 'Serve.', flags: toWordFlags() },
  verbs: {},
};

function toWordFlags(): CommandSpec['verbs'][string]['flags'] {
  return Object.fromEntries(
    Object.entries(SERVE_FLAGS).map(([name, { type }]): [string, WordFlag] => [
      name,
      { type, meaning: meaningOf(name) },
    ]),
  );
}

function meaningOf(name: string): string {
  return new RegExp(`^ {2}--${name}\\b\\S*(?: \\S+)*? {2,}(.*)$`, 'm').exec(SERVE_HELP)?.[1] ?? '';
}

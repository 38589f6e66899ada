import type { CommandSpec, WordFlag } from '../words/command-spec.js';
import { SERVE_FLAGS, SERVE_HELP } from './read-serve-flags.js';

/** `qwen serve` for the list of subcommands and for completion; its help is a text of its own. */
export const SERVE: CommandSpec = {
  meaning: 'Serve sessions over HTTP.',
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

/** The first line of what the help says about a flag. */
function meaningOf(name: string): string {
  return new RegExp(`^ {2}--${name}\\b\\S*(?: \\S+)*? {2,}(.*)$`, 'm').exec(SERVE_HELP)?.[1] ?? '';
}

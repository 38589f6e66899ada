import type { CommandRegistry } from './command-registry.js';
import type { CommandInvocation } from './run-command.js';

/**
 * The command that a text is, typed in by a person (F-01); undefined when it is something to say to the model. A command
 * begins with `/` and a word that is no path: `//…`, `/*…` and `/usr/bin …` are none. `?` and `? <command>` ask for
 * help, all other text that begins with `?` is prose (CF-67). A name that nobody knows is a command too: running it
 * says so.
 */
export function parseCommandLine(text: string, registry: CommandRegistry): CommandInvocation | undefined {
  const raw = text.trim();
  if (raw.startsWith('?')) {
    const asked = raw.slice(1).trim();
    const isHelp = asked === '' || registry.find(asked) !== undefined;
    return isHelp ? { path: ['help'], args: asked, raw } : undefined;
  }
  const [, word, rest = ''] = /^\/(\S*)\s*([^]*)$/.exec(raw) ?? [];
  if (word === undefined || /^\*|\//.test(word)) return undefined;
  if (word === '?') return { path: ['help'], args: rest, raw };
  return { path: [word], args: rest, raw };
}

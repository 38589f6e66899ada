import { compileGlob } from '../../glob/compile-glob.js';
import { SELF_CONTAINED } from './programs.js';
import { baseName, type ShellWord } from './shell-reading.js';
import { MESSAGE_PROGRAMS } from './word-names.js';

const PROGRAM_FOLDERS = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin'];
/** A name that a shell completes: `r$@m`, `$(echo r)m`, `/bin/r?`. */
const UNFINISHED_NAME = /^(?:[\w./~-]*(?:\$[\w@*({]|`)|[\w.~-]*\/\S*[*?[])/;

/** Without the quotes and empty expansions that a shell removes: `r\m` and `r$@m` are `rm`. */
export function withoutQuotes(text: string): string {
  return text.replaceAll(/['"\\]|\$[@*]|\$\{[@*]\}/g, '');
}

/** Whether it passes another program a command line whose program only a shell knows. */
export function passesUnknownCommand([program, ...args]: readonly ShellWord[]): boolean {
  const name = baseName(program?.text ?? '');
  if (MESSAGE_PROGRAMS.has(name) || SELF_CONTAINED.has(name)) return false;
  return args.some(({ text, certainty }) => {
    if (certainty !== 'fixed' || !/\s/.test(text)) return false;
    const line = text.replace(/^[\w:.-]+=/, '');
    return line.split(/[;&|\n]/).some((part) => UNFINISHED_NAME.test(part.trim()) && /\S\s+\S/.test(part));
  });
}

/** Whether a pattern for an unknown wrapper, such as `/bin/r?`, may expand to the program. */
export function mayExpandTo({ text, certainty }: ShellWord, program: string): boolean {
  if (certainty !== 'glob') return false;
  if (/(?:^|\/)\.\.\//.test(text)) return text.includes('bin') && compileGlob(baseName(text))(program);
  if (!text.startsWith('/')) return false;
  const matches = compileGlob(text);
  return PROGRAM_FOLDERS.some((folder) => matches(`${folder}/${program}`));
}

import { compileGlob } from '../../glob/compile-glob.js';
import type { RuleAnchors } from '../path-pattern.js';
import { holdsSecrets } from '../sensitive-files.js';
import { asFile } from './named-files.js';
import { baseName, type ShellCommand, type ShellReading } from './shell-reading.js';
import { namesOf } from './word-names.js';

const MAX_WORDS = 500;
const PROCESSES = /(?:^|[=\s`(<{,;|&])\/?proc(?:\/|[\s;)}]|$)/m;
const MEMORY = /(?:^|[^\w.])(?:environ|auxv|pagemap)(?![\w.])|\/mem(?![\w.])/;
const IN_FOLDERS = ['server', 'server/token', 'server/server.json'];
/** Examples to match patterns against. */
const PROCESS_FILES = ['/proc/1/environ', '/proc/1/mem', '/proc/1/task/1/environ'];

export interface MentioningText {
  readonly command: string;
  readonly reading: ShellReading;
  /** Whether some files are only known at run time. */
  readonly isOpen: boolean;
}

/** What the text of a command mentions, if its words alone do not show which secrets it reads. */
export function mentionedSecret(
  { command, reading, isOpen }: MentioningText,
  anchors: Pick<RuleAnchors, 'home' | 'root'>,
  dataDirs: readonly string[],
): string | undefined {
  const text = command.replaceAll(/['"\\]/g, '');
  if (PROCESSES.test(text) && (MEMORY.test(text) || MEMORY.test(command))) return '/proc';
  const all = [...reading.commands, ...reading.inner];
  const isUncertain =
    isOpen ||
    reading.unclear !== undefined ||
    reading.assigned.length > 0 ||
    all.some(({ folders, words }) => folders === undefined || words.some(({ certainty }) => certainty === 'open'));
  if (!isUncertain) return patternOver(reading.commands, dataDirs);
  const mentioned = dataDirs.find((folder) => mentions(text, baseName(folder)));
  const elsewhere = [anchors.home, '/', '/proc', ...dataDirs].filter((folder) => folder !== undefined);
  const secrets = [...PROCESS_FILES, ...dataDirs.flatMap((folder) => IN_FOLDERS.map((name) => `${folder}/${name}`))];
  return (
    mentioned ??
    nameIn(reading.commands, elsewhere, secrets) ??
    handedOver(reading.commands, anchors, dataDirs) ??
    patternOver(reading.commands, dataDirs)
  );
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?:^|[/=\\s\`({,])${name.replaceAll('.', '\\.')}(?:[/\\s;|&)}*?,]|$)`, 'm').test(text);
}

function nameIn(
  commands: readonly ShellCommand[],
  folders: readonly string[],
  secrets: readonly string[],
): string | undefined {
  const words = commands.flatMap((command) => (command.folders === undefined ? command.words.slice(1) : []));
  for (const { text } of words.slice(0, MAX_WORDS)) {
    if (text.startsWith('-') || text.length > MAX_WORDS) continue;
    const matches = compileGlob(text.replace(/^(?:\.\/)+/, ''), { dotFiles: false });
    const isSecret = folders.some((folder) =>
      secrets.some((secret) => {
        const prefix = folder === '/' ? '/' : `${folder}/`;
        return secret.startsWith(prefix) && matches(secret.slice(prefix.length));
      }),
    );
    if (isSecret) return text;
  }
  return undefined;
}

const LISTERS = /^(?:find|fd|fdfind|ls|du|tree)$/;
const TAKERS = /^(?:xargs|parallel|read|mapfile|readarray)$/;

function handedOver(
  commands: readonly ShellCommand[],
  anchors: Pick<RuleAnchors, 'home' | 'root'>,
  dataDirs: readonly string[],
): string | undefined {
  const programOf = ({ words: [program] }: ShellCommand): string => baseName(program?.text ?? '');
  if (!commands.some((command) => TAKERS.test(programOf(command)))) return undefined;
  for (const command of commands.filter((listing) => LISTERS.test(programOf(listing)))) {
    for (const word of command.words.slice(1, MAX_WORDS)) {
      const names = namesOf(word, command, anchors) ?? [];
      const isHolding = names.some(({ name }) => holdsSecrets(asFile(name), dataDirs));
      if (isHolding && !word.text.startsWith('-')) return word.text;
    }
  }
  return undefined;
}

function patternOver(commands: readonly ShellCommand[], dataDirs: readonly string[]): string | undefined {
  for (const { words, readOnlyFiles, readOnlyPatterns } of commands) {
    if (readOnlyFiles !== undefined && readOnlyPatterns === undefined) continue;
    for (const { text, certainty } of words.slice(1, MAX_WORDS)) {
      if (certainty !== 'glob' || text.length > MAX_WORDS) continue;
      const name = text.replace(/^.*\//, '');
      const isWhole = dataDirs.some((folder) => compileGlob(name, { dotFiles: false })(baseName(folder)));
      if (isWhole && /^(?:~|\$|\/|\.\.)/.test(text)) return text;
    }
  }
  return undefined;
}

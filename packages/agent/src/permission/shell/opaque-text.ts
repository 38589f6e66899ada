import { carrierName, runsFiles, runsUnreadText } from './carriers.js';
import { choosesProgram, isProgramVariable } from './program-variables.js';
import { EVALUATING, LAUNCHERS } from './programs.js';
import { baseName, type ShellCommand, type ShellReading, type ShellWord } from './shell-reading.js';

const found = new WeakMap<ShellReading, { readonly reason: string | undefined }>();

/** Why a deny rule may apply to what the commands do not show, although all of them are known. */
export function opaqueReason(reading: ShellReading): string | undefined {
  const known = found.get(reading);
  if (known !== undefined) return known.reason;
  const reason = findReason(reading);
  found.set(reading, { reason });
  return reason;
}

function findReason(reading: ShellReading): string | undefined {
  const chosen = reading.assigned.find(choosing) ?? reading.commands.flatMap(variablesIn).find(choosing);
  if (chosen !== undefined) return `${chosen.text.split('=', 1)[0]} names a program that others start.`;
  const all = [...reading.commands, ...reading.inner];
  for (const { words } of all) {
    const reason = runsUnreadText(words);
    if (reason !== undefined) return reason;
  }
  return all.some(({ words }) => setsProgramVariable(words)) ? 'A variable names a program.' : runsMadeFile(reading);
}

const choosing = ({ text, certainty }: ShellWord): boolean => choosesProgram(text, certainty === 'fixed');

/** `env NAME=value program` sets variables by words. */
function variablesIn({ words: [program, ...args] }: ShellCommand): readonly ShellWord[] {
  const isSetter = LAUNCHERS.has(baseName(program?.text ?? '')) || EVALUATING.has(program?.text ?? '');
  return isSetter ? args.filter(({ text }) => /^\w+\+?=/.test(text)) : [];
}

function setsProgramVariable([program, ...args]: readonly ShellWord[]): boolean {
  if (program === undefined || !/^(?:read|mapfile|readarray|printf|getopts|declare|typeset|local)$/.test(program.text))
    return false;
  return args.some(
    ({ text }) =>
      isProgramVariable(text) ||
      (/^-\w*n/.test(text) &&
        program.text !== 'read' &&
        program.text !== 'mapfile' &&
        program.text !== 'readarray' &&
        program.text !== 'printf'),
  );
}

const MAKERS = new Set('cp mv ln install dd tee'.split(' '));
const BUILD_FILES: Readonly<Record<string, RegExp>> = {
  make: /^(?:gnu)?makefile$/i,
  just: /^\.?justfile$/i,
  npm: /^package\.json$/,
  pnpm: /^package\.json$/,
  yarn: /^package\.json$/,
};

/** A program, script or link that the same command writes and then runs. */
function runsMadeFile({ commands, inner, files, innerFiles }: ShellReading): string | undefined {
  const written = [...files, ...innerFiles].filter(({ access }) => access === 'write');
  const all = [...commands, ...inner];
  const made = new Set(written.map(({ shown }) => baseName(shown)).filter((name) => name !== '' && name !== 'null'));
  let isAny = false;
  for (const { words } of all) {
    const [program, ...args] = words;
    if (!MAKERS.has(baseName(program?.text ?? ''))) continue;
    for (const { text, certainty } of args) {
      if (certainty === 'open' || certainty === 'variable') isAny = true;
      if (!text.startsWith('-') || text.includes('='))
        made.add(baseName(text.replace(/\/+$/, '').replace(/^\w+=/, '')));
    }
  }
  const isMade = ({ text, certainty }: ShellWord): boolean =>
    made.has(baseName(text)) || (isAny && certainty !== 'fixed') || (isAny && text.startsWith('./'));
  if (made.size === 0) return undefined;
  for (const { words } of all) {
    const [program, ...args] = words;
    if (program === undefined) continue;
    const name = baseName(program.text);
    const isScript =
      runsFiles(program.text) || ((name === 'sed' || name === 'awk') && args.some(({ text }) => text.startsWith('-f')));
    const build = BUILD_FILES[carrierName(program.text)];
    const isRun = (program.text.includes('/') || made.has(program.text)) && isMade(program);
    if (
      isRun ||
      (isScript && args.some(isMade)) ||
      (build !== undefined && [...made].some((file) => build.test(file)))
    ) {
      return `${name} runs a file that this command writes.`;
    }
  }
  return undefined;
}

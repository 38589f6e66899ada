import { scanOptions } from './option-words.js';
import { readSedScript } from './sed-script.js';

const SED_PATTERN = String.raw`/(?:\\[^\n/]|[^\\\n/])*/I?`;
const SED_ADDRESS = String.raw`(?:\d+|\$|${SED_PATTERN})`;
const SED_SUBSTITUTION = ['/', '\\|', '#', ',', ':', '@']
  .map((mark) => {
    const part = String.raw`(?:(?!${mark})[^\\\n]|\\(?!${mark})[^\n])*`;
    return `s${mark}${part}${mark}${part}${mark}[gpI\\d]*`;
  })
  .join('|');
const SED_COMMAND = String.raw`(?:${SED_ADDRESS}(?:,(?:${SED_ADDRESS}|[+~]\d+))? *(?:! *)?)?(?:[pdq=nNDPGHhgxl]|${SED_SUBSTITUTION})`;
/** Only commands that print: none that runs a program, or reads or writes a file. */
const SED_PRINTS = new RegExp(String.raw`^\s*${SED_COMMAND}(?: *[;\n][;\s]*${SED_COMMAND})*[;\s]*$`);
const MAX_SCRIPT = 1000;
const SED_FLAGS = /^(?:quiet|silent|regexp-extended|separate|unbuffered|null-data)$/;

/** The files that sed reads if it only prints; undefined if it may do more. */
export function sedOperands(args: readonly string[]): readonly string[] | undefined {
  const scripts: string[] = [];
  const operands: string[] = [];
  for (const { kind, name, value } of scanOptions(args, { valued: 'e', longValued: ['expression'] })) {
    if (kind === 'operand') operands.push(name);
    else if (name === (kind === 'letter' ? 'e' : 'expression')) scripts.push(value ?? '');
    else if (kind === 'letter' ? !'nErsuz'.includes(name) : !SED_FLAGS.test(name) || value !== '') return undefined;
  }
  if (scripts.length === 0) scripts.push(...operands.splice(0, 1));
  return scripts.length > 0 && scripts.every(isPrinting) ? operands.filter((name) => name !== '-') : undefined;
}

/** The expression does not know bracket expressions, which may hold a delimiter; the reader of scripts refuses those. */
function isPrinting(script: string): boolean {
  if (script.length > MAX_SCRIPT || !SED_PRINTS.test(script)) return false;
  const read = readSedScript(script);
  return read !== undefined && !read.runs && read.files.length === 0;
}

/** Without slashes, a text is never a part of a regular expression that ends later. */
const AWK_TEXT = /"[^"\\\n/]*"/g;
const AWK_TOKENS = /^(?:[\w\s$.,;:(){}[\]!~=+*%^?&/"-]|[<>]=|<|\|\|)*$/;
const AWK_OPENS = /system|getline|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARG[VC]/;
const AWK_VARIABLE = /^[a-z]\w*=[^\\]*$/s;

/** The files that awk reads if it only prints; undefined if it may do more. */
export function awkOperands(args: readonly string[]): readonly string[] | undefined {
  let at = 0;
  for (;;) {
    const word = args[at] ?? '';
    if (word === '-F' || word === '-v') {
      if (word === '-v' && !AWK_VARIABLE.test(args[at + 1] ?? '')) return undefined;
      at += 2;
    } else if (/^-F./s.test(word)) at += 1;
    else break;
  }
  const [program, ...named] = args.slice(at);
  if (program === undefined || !onlyPrints(program)) return undefined;
  // awk reads an operand with `=` as an assignment.
  return named.some((name) => name.startsWith('-') || name.includes('=')) ? undefined : named;
}

function onlyPrints(program: string): boolean {
  const code = program.replaceAll(AWK_TEXT, '""');
  if (program.startsWith('-') || AWK_OPENS.test(program)) return false;
  if (code.replaceAll('""', '').includes('"')) return false;
  // Where nothing is printed, as in the first pattern, `>` is a comparison.
  const printless = code.includes('/') || !code.includes('{') ? '' : (/^[^{}]*/.exec(code)?.[0] ?? '');
  const isSilent = !code.includes('print');
  const compared = isSilent ? code.replaceAll('>', '<') : printless.replaceAll('>', '<') + code.slice(printless.length);
  return AWK_TOKENS.test(compared);
}

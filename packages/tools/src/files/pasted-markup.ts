import { AgentError } from '@qwen/protocol';

/** Files of which no line is a code fence. */
const CODE =
  /\.(?:[cm]?[jt]sx?|json[5c]?|pyi?|rb|go|rs|java|kts?|scala|groovy|gradle|[ch]|cc|cpp|cxx|hh|hpp|m|mm|cs|fs|vb|php|swift|dart|lua|p[lm]|r|jl|exs?|erl|hs|ml|clj[sc]?|zig|nim|sol|tf|proto|graphql|sql|ya?ml|toml|xml|html?|css|scss|sass|less|vue|svelte|astro|(?:ba|z|fi)?sh|ps1|bat|cmake|mk)$|(?:^|[/\\])(?:Makefile|Dockerfile|Jenkinsfile|Gemfile|Rakefile)$/i;
const DIFF_FILE = /\.(?:diff|patch|rej|orig|snap)$/i;

const FENCE = /^(?:`{3}|~{3})/m;
const OPENING_FENCE = /^\s*(?:`{3}|~{3})/;
/** A first line that no program has. */
const PROSE = /^\s*[A-Z][A-Za-z']*(?:[ ,!][^;{}()=<>]*)?[:.!]?[ \t]*\n/;

/** At the start, because tests quote such texts. */
const BLOCK = /^\s*<{5,9}[^<\n]*\n(?:[^]*\n)?={5,9}\r?\n(?:[^]*\n)?>{5,9}/;
const MARKER = /^[<>]{5,9}/m;
const HUNK = /^\s*(?:@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|\*\*\* (?:Begin Patch|Update File: )|--- \S[^\n]*\n\+\+\+ \S)/;
/** Line numbers as results show them. */
const NUMBERED = /^[ \t]*(\d+)(?:\t|\u2192| ?\|)/m;

/** `before` is the text of the whole file, `oldText` the part that is replaced. */
export interface PastedText {
  readonly newText: string;
  readonly oldText: string;
  readonly before: string;
  readonly path: string;
  /** The member with the new text. */
  readonly name: string;
}

/** Throws `invalid_tool_input` if the text has marks of a message or a result that the file would get as text. */
export function assertNoMarkup(pasted: PastedText): void {
  const { newText, oldText, before, path, name } = pasted;
  if (DIFF_FILE.test(path)) return;
  const isFenced = OPENING_FENCE.test(newText) || (PROSE.test(newText) && FENCE.test(newText));
  if (isCode(path) && isFenced && !FENCE.test(before)) {
    throw refusal(`${name} is a code fence or an explanation with one. Send only the text of the file, without it.`);
  }
  if (BLOCK.test(newText) && !MARKER.test(before) && !MARKER.test(oldText)) {
    throw refusal(
      `${name} has the marks of a SEARCH/REPLACE block. Send only the new text, or the block as patch of edit.`,
    );
  }
  if (isDiff(pasted)) {
    throw refusal(`${name} is a diff. Send only the new text, without its marks, or the diff as patch of edit.`);
  }
  const numbered = oldText !== '' || isCode(path) ? firstNumber(newText) : undefined;
  if (numbered !== undefined && ![before, oldText].some((text) => NUMBERED.test(text))) {
    throw refusal(`${name} has line numbers, first ${numbered}. Send the text without them.`);
  }
}

export function isCode(path: string): boolean {
  return CODE.test(path);
}

function refusal(message: string): AgentError {
  return new AgentError('invalid_tool_input', message);
}

function isDiff({ newText, oldText, path }: PastedText): boolean {
  if (HUNK.test(newText) && !HUNK.test(oldText) && (isCode(path) || oldText !== '')) return true;
  const lines = newText.split('\n').filter((line) => line.trim() !== '');
  if (oldText === '' || !lines.some((line) => line.startsWith('+'))) return false;
  const old = new Set(oldText.split('\n').map((line) => line.trim()));
  const removed = lines.filter((line) => line.startsWith('-'));
  return (
    removed.length > 0 &&
    removed.every((line) => !old.has(line.trim()) && old.has(line.slice(1).trim())) &&
    lines.every((line) => /^[-+ \t\\]/.test(line))
  );
}

/** Undefined if most lines have no number, or the numbers do not rise. */
function firstNumber(text: string): number | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const numbers = lines.flatMap((line) => {
    const [, number] = NUMBERED.exec(line) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
  const rises = numbers.every((number, index) => number > (numbers[index - 1] ?? 0));
  return rises && numbers.length * 2 >= lines.length ? numbers[0] : undefined;
}

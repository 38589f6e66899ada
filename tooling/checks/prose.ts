// Counts wordings that docs, comments and texts should not have, internal ids, and words of comment per line.
// `node tooling/checks/prose.ts [path…]` checks; with paths it only lists every match below them.
import { globSync, readFileSync } from 'node:fs';
import {
  type Count,
  countWordings,
  countWords,
  type Finding,
  findIds,
  readMarkdown,
  readSource,
} from './prose-count.ts';
import { MAX_COMMENT_WORDS_PER_LINE, MAX_RATE, WORDINGS } from './prose-rules.ts';

const GENERATED_PAGES = ['conformance', 'commands', 'http-api', 'control-requests'].map((name) => `docs/${name}.md`);

const filter = process.argv.slice(2);
const pages = find(['*.md', 'docs/**/*.md', 'packages/*/*.md', 'examples/**/*.md'])
  .filter((path) => !GENERATED_PAGES.includes(path) && !/\/CHANGELOG\.md$|^docs\/ipc\//.test(path))
  .flatMap((path) => readMarkdown(path, readFileSync(path, 'utf8')));
const sources = find(['packages/*/{src,scripts,bin,web/src}/**/*.{ts,tsx}', 'tooling/**/*.ts'])
  .filter((path) => !/\.(?:test|contract|d)\.tsx?$/.test(path))
  .map((path) => readSource(path, readFileSync(path, 'utf8')));
const comments = sources.flatMap((source) => source.comments);
const strings = sources
  .flatMap((source) => source.strings)
  .filter(({ path }) => !/^(?:tooling|packages\/testkit)\//.test(path));

const failures: string[] = [];
for (const [group, passages] of Object.entries({ docs: pages, comments, strings })) {
  const words = passages.reduce((sum, { text }) => sum + countWords(text), 0);
  const counts = countWordings(passages, WORDINGS);
  const ids = findIds(passages);
  const tooMany = counts.filter(({ name, rate }) => rate > limitOf(name));
  const verdict = tooMany.length + ids.length === 0 ? 'ok' : 'FAIL';
  console.log(`${group}: ${words} words, ${tooMany.length} wordings over their limit, ${ids.length} ids: ${verdict}`);
  for (const count of filter.length > 0 ? counts : tooMany) printCount(count);
  printFindings(ids);
  if (verdict === 'FAIL') failures.push(group);
}
if (printCommentRates() > MAX_COMMENT_WORDS_PER_LINE) failures.push('words of comment');
// A rate over a few files means little.
process.exitCode = failures.length === 0 || filter.length > 0 ? 0 : 1;

function find(patterns: readonly string[]): string[] {
  return globSync(patterns, { exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path) })
    .filter((path) => filter.length === 0 || filter.some((folder) => path.startsWith(folder)))
    .toSorted();
}

function limitOf(name: string): number {
  return WORDINGS.find((wording) => wording.name === name)?.max ?? MAX_RATE;
}

function printCount({ name, rate, findings }: Count): void {
  const instead = WORDINGS.find((wording) => wording.name === name)?.instead ?? '';
  console.log(`  ${rate.toFixed(1).padStart(5)} of ${limitOf(name)}  "${name}" (${findings.length}): write ${instead}`);
  printFindings(findings);
}

/** All of them when paths are given, otherwise the first three. */
function printFindings(findings: readonly Finding[]): void {
  const most = filter.length > 0 ? findings.length : 3;
  for (const { path, line, excerpt } of findings.slice(0, most)) console.log(`           ${path}:${line}: ${excerpt}`);
}

/** Prints words of comment per line for each package; returns the rate of all of them together. */
function printCommentRates(): number {
  const totals = new Map<string, { words: number; lines: number }>();
  for (const { comments: own, lines, path } of sources) {
    const name = /^packages\/[^/]+/.exec(path)?.[0] ?? 'tooling';
    const words = own.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0);
    for (const key of [name, 'all']) {
      const total = totals.get(key) ?? { words: 0, lines: 0 };
      totals.set(key, { words: total.words + words, lines: total.lines + lines });
    }
  }
  const rates = [...totals].map(([name, { words, lines }]) => [name, words / lines] as const);
  console.log(`words of comment per line, at most ${MAX_COMMENT_WORDS_PER_LINE} in all:`);
  for (const [name, rate] of rates.toSorted((a, b) => b[1] - a[1])) console.log(`  ${rate.toFixed(2)}  ${name}`);
  return rates.find(([name]) => name === 'all')?.[1] ?? 0;
}

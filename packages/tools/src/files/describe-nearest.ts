import { escapeHidden } from '@qwen/protocol';
import { cutLine } from '../truncate.js';
import { lineKey } from './look-alikes.js';

const MAX_SHOWN_LINES = 12;
const MAX_SHOWN_LENGTH = 200;
/** More lines would take too long to compare. */
const MAX_COMPARED_LINES = 20_000;
/** Frequent lines carry no information. */
const MAX_EQUAL_LINES = 20;
const MIN_SIMILARITY = 0.5;

/** The lines of a text that are most like another text, with numbers, and the first difference. */
export function describeNearest(text: string, wanted: string): string {
  const lines = text.split(/\r?\n/);
  const old = wanted.replace(/^\s*\n|\n\s*$/g, '').split(/\r?\n/);
  const start = nearestStart(lines, old);
  if (start === undefined) return 'No lines of the file are similar. Read the file again.';
  const last = Math.min(start + old.length, start + MAX_SHOWN_LINES, lines.length);
  const shown = lines
    .slice(start, last)
    .map((line, index) => `${start + index + 1}\t${escapeHidden(cutLine(line, MAX_SHOWN_LENGTH))}`);
  return [`${difference(lines, old, start)} The nearest lines:`, ...shown].join('\n');
}

function nearestStart(lines: readonly string[], old: readonly string[]): number | undefined {
  const keys = old.map(lineKey);
  const wantedAt = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    const places = wantedAt.get(key) ?? [];
    if (key !== '' && places.length < MAX_EQUAL_LINES) wantedAt.set(key, [...places, index]);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const key = lineKey(line);
    for (const at of wantedAt.get(key) ?? []) {
      const start = index - at;
      votes.set(start, (votes.get(start) ?? 0) + Math.min(key.length, 40));
    }
  }
  let best: readonly [start: number, count: number] | undefined;
  for (const vote of votes) {
    const [start, count] = vote;
    if (best === undefined || count > best[1] || (count === best[1] && start < best[0])) best = vote;
  }
  if (best !== undefined) return Math.max(best[0], 0);
  return mostSimilar(lines, keys);
}

function mostSimilar(lines: readonly string[], keys: readonly string[]): number | undefined {
  const first = keys.findIndex((key) => key !== '');
  const wanted = pairsOf(keys[first] ?? '');
  let best = MIN_SIMILARITY;
  let start: number | undefined;
  for (const [index, line] of lines.slice(0, MAX_COMPARED_LINES).entries()) {
    const score = similarity(wanted, pairsOf(lineKey(cutLine(line, MAX_SHOWN_LENGTH))));
    if (score > best) [best, start] = [score, Math.max(index - first, 0)];
  }
  return start;
}

/** Dice's coefficient. */
function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size + right.size === 0) return 0;
  let common = 0;
  for (const pair of left) if (right.has(pair)) common += 1;
  return (2 * common) / (left.size + right.size);
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2).toLowerCase());
  return pairs;
}

function difference(lines: readonly string[], old: readonly string[], start: number): string {
  const index = old.findIndex((line, at) => lineKey(line) !== lineKey(lines[start + at] ?? ''));
  if (index === -1) return 'Its lines are in the file, but it is not clear which are meant.';
  const wanted = old[index] ?? '';
  const line = lines[start + index];
  const where = `Line ${index + 1} of it, ${quote(wanted)},`;
  if (line === undefined) return `${where} is after the end of the file.`;
  const number = start + index + 1;
  if (wanted.toLowerCase().trim() === line.toLowerCase().trim()) return `${where} differs from line ${number} in case.`;
  const withoutBlanks = (text: string) => lineKey(text).replaceAll(/\s+/g, '');
  if (withoutBlanks(wanted) === withoutBlanks(line)) return `${where} differs from line ${number} in blanks.`;
  return `${where} differs from line ${number}, ${quote(line)}.`;
}

function quote(line: string): string {
  return `"${escapeHidden(cutLine(line.trim(), 80))}"`;
}

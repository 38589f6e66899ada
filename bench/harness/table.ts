import { cpus } from 'node:os';
import { type Figure, ratioOf, type Target } from './figure.ts';

const HEADINGS = ['figure', 'value', 'baseline', 'ratio', 'target', ''] as const;

/** Printed because figures of different machines are not comparable. */
export function describeMachine(): string {
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${process.platform} ${process.arch}, node ${process.version}`;
}

export function toTable(figures: readonly Figure[]): string {
  const rows = [HEADINGS, ...figures.map(toCells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return rows.map((row) => toLine(row).trimEnd()).join('\n');
}

/** Includes the ratio. */
export function toJsonLine(figure: Figure): string {
  return JSON.stringify({ ...figure, ratio: ratioOf(figure) });
}

export function toCells(figure: Figure): string[] {
  const { name, unit, baseline, target } = figure;
  return [
    name,
    toValue(figure),
    baseline === undefined ? '–' : `${toDigits(baseline.value)} (${baseline.name})`,
    toRatio(figure),
    target === undefined ? '–' : `≤ ${target.atMost} ${target.of === 'ratio' ? '×' : unit}`,
    target === undefined ? '' : verdict(figure, target),
  ];
}

export function toValue({ value, unit }: Figure): string {
  return `${toDigits(value)} ${unit}`;
}

export function toRatio(figure: Figure): string {
  const ratio = ratioOf(figure);
  return ratio === undefined ? '–' : `${ratio.toFixed(2)} ×`;
}

function verdict(figure: Figure, target: Target): string {
  const measured = target.of === 'ratio' ? ratioOf(figure) : figure.value;
  return measured !== undefined && measured <= target.atMost ? 'met' : 'MISSED';
}

function toDigits(value: number): string {
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

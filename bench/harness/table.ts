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

function toCells(figure: Figure): string[] {
  const { name, value, unit, baseline, target } = figure;
  const ratio = ratioOf(figure);
  return [
    name,
    `${toDigits(value)} ${unit}`,
    baseline === undefined ? '-' : `${toDigits(baseline.value)} (${baseline.name})`,
    ratio === undefined ? '-' : `${ratio.toFixed(2)} x`,
    target === undefined ? '-' : `<= ${target.atMost} ${target.of === 'ratio' ? 'x' : unit}`,
    target === undefined ? '' : verdict(figure, target),
  ];
}

function verdict(figure: Figure, target: Target): string {
  const measured = target.of === 'ratio' ? ratioOf(figure) : figure.value;
  return measured !== undefined && measured <= target.atMost ? 'met' : 'MISSED';
}

function toDigits(value: number): string {
  return Math.abs(value) >= 1000 ? value.toFixed(0) : Math.abs(value) >= 100 ? value.toFixed(1) : value.toFixed(2);
}

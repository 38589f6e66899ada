import { readFile } from 'node:fs/promises';
import { type CompatTable, faultsOf, printTables } from './compat-table.ts';
import { readMembers } from './read-members.ts';

const START = '<!-- tables: node tooling/checks/compat/compat-tables.ts --write -->';

export interface CheckedPage {
  readonly file: URL;
  /** The page with the tables as they should be. */
  readonly wanted: string;
  readonly isStale: boolean;
  /** Of the tables. */
  readonly faults: string[];
}

/** Compares a page with the types of the other package, which is in the folder `theirs`, and ours. */
export async function checkPage(table: CompatTable, theirs: string): Promise<CheckedPage> {
  const file = new URL(`../../../docs/${table.page}`, import.meta.url);
  const { sections, known } = await readMembers(table, { theirs, ours: '@qwen/sdk' });
  const page = await readFile(file, 'utf8');
  const intro = page.slice(0, page.indexOf(START) + START.length);
  const wanted = `${intro}\n\n${printTables(table, sections)}\n`;
  return { file, wanted, isStale: page !== wanted, faults: faultsOf(table, sections, known) };
}

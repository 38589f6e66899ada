import type { TalliedGroup, TalliedRow, Tally } from './tally.js';

export function toSummary({ groups }: Tally): string {
  const lines = groups.map((group) => {
    const { verified, failing, total } = count([group]);
    const share = `${verified}/${total}`.padStart(9);
    return `${group.id.padEnd(8)}${share}  ${group.title}${failing > 0 ? `, ${failing} FAILING` : ''}`;
  });
  return lines.join('\n');
}

export function toTotalLine({ groups }: Tally): string {
  const { verified, failing, total } = count(groups);
  return `conformance: ${verified} of ${total} rows verified, ${failing} failing`;
}

/** The page `docs/conformance.md`. Deterministic: no times and no local paths. */
export function toMarkdown(tally: Tally): string {
  const { verified, failing, total } = count(tally.groups);
  return [
    '# Conformance',
    '',
    'Which requirement is shown by which test. Written by `pnpm conformance`; do not edit.',
    '',
    'A row is *verified* when every test that claims it passed, *failing* when one of them failed and *open* when no',
    'test claims it, with the reason where it stays so; *issue n* says which issue will do it. Rows are kept in',
    '`e2e/requirements.json`.',
    '',
    `**${verified} of ${total} rows verified, ${failing} failing.**`,
    '',
    '| group | | verified | failing | open | later |',
    '|---|---|---:|---:|---:|---:|',
    ...tally.groups.map(toGroupLine),
    '',
    ...tally.groups.flatMap(toGroupSection),
  ].join('\n');
}

function toGroupLine(group: TalliedGroup): string {
  const { verified, failing, open, later } = count([group]);
  return `| ${group.id} | ${escape(group.title)} | ${verified} | ${failing} | ${open} | ${later} |`;
}

function toGroupSection(group: TalliedGroup): string[] {
  return [
    `## ${group.id}: ${group.title}`,
    '',
    '| id | requirement | state | shown by, or why not |',
    '|---|---|---|---|',
    ...group.rows.map((row) => {
      const shownBy = row.tests.length > 0 ? row.tests : [row.reason ?? ''];
      const cell = shownBy.map((text) => escape(text)).join('<br>');
      return `| ${row.id} | ${escape(row.title)} | ${toStateWord(row)} | ${cell} |`;
    }),
    '',
  ];
}

function toStateWord({ state, deferredTo }: TalliedRow): string {
  return state === 'open' && deferredTo !== undefined ? `issue ${deferredTo}` : state;
}

function count(groups: readonly TalliedGroup[]) {
  const rows = groups.flatMap((group) => group.rows);
  const verified = rows.filter((row) => row.state === 'verified').length;
  const failing = rows.filter((row) => row.state === 'failing').length;
  const later = rows.filter((row) => row.state === 'open' && row.deferredTo !== undefined).length;
  return { verified, failing, later, open: rows.length - verified - failing - later, total: rows.length };
}

function escape(text: string): string {
  return text.replaceAll(/[\\|<>]/g, (sign) => `\\${sign}`).replaceAll(/[\r\n]+/g, ' ');
}

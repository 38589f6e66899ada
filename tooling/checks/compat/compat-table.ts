/** Names of another SDK and their counterparts here. The compiler checks every row. */
export interface CompatTable {
  readonly packageName: string;
  readonly version: string;
  /** The page in `docs` that ends with the tables. */
  readonly page: string;
  readonly sections: readonly Section[];
  /** Further imports, by their names in sections. A path that starts with `./` is in the other package. */
  readonly imports?: Readonly<Record<string, string>>;
  /** Pairs of imports whose exports of the same name are compared at any depth; a section of nested names lists them. */
  readonly nested?: readonly (readonly [theirs: string, ours: string])[];
}

export interface Section {
  readonly title: string;
  readonly intro?: string;
  /** A type of each package, with `Theirs` and `Ours` as the names of the packages; for exports, an import. */
  readonly theirs: string;
  readonly ours: string;
  /**
   * What to compare: the members of a type (default), the words of a union, the exports of an import, or the names of
   * nested types that ours lack.
   */
  readonly lists?: 'members' | 'words' | 'exports' | 'nested';
  /** Exports that the section leaves out, because its page says so. */
  readonly skips?: RegExp;
  /** Whether apps write these names, so that an alias is accepted too, or read them. */
  readonly names: 'written' | 'read';
  /** Names with the same meaning, separated by spaces. */
  readonly same?: string;
  /** Names that exist here with a difference, which the text states. */
  readonly differs?: Readonly<Record<string, string>>;
  /** Names that have another name here, which the text starts with. */
  readonly alias?: Readonly<Record<string, string>>;
  /** Names without a counterpart, by the reason and what to use. */
  readonly refused?: readonly (readonly [names: string, reason: string])[];
}

export interface SectionMembers {
  readonly theirs: readonly string[];
  readonly ours: ReadonlySet<string>;
}

type Verdict = 'same' | 'differs' | 'alias' | 'refused';

interface Row {
  readonly name: string;
  readonly verdict: Verdict;
  readonly text: string;
}

const namesOf = (text: string): string[] => text.split(/\s+/).filter((name) => name !== '');

export function rowsOf({ same = '', differs = {}, alias = {}, refused = [] }: Section): Row[] {
  return [
    ...namesOf(same).map((name): Row => ({ name, verdict: 'same', text: '' })),
    ...Object.entries(differs).map(([name, text]): Row => ({ name, verdict: 'differs', text })),
    ...Object.entries(alias).map(([name, text]): Row => ({ name, verdict: 'alias', text })),
    ...refused.flatMap(([names, text]) => namesOf(names).map((name): Row => ({ name, verdict: 'refused', text }))),
  ];
}

/**
 * Members without a row, rows without a member, and rows that the types contradict. `known`: further names that
 * aliases may refer to.
 */
export function faultsOf(
  { sections }: CompatTable,
  members: readonly SectionMembers[],
  known: ReadonlySet<string>,
): string[] {
  return sections.flatMap((section, index) => {
    const { theirs, ours } = members[index] ?? { theirs: [], ours: new Set() };
    const rows = rowsOf(section);
    const named = rows.map(({ name }) => name);
    const twice = named.filter((name, place) => named.indexOf(name) !== place);
    const faults = [
      ...(theirs.length === 0 ? ['the type has no members'] : []),
      ...theirs.filter((name) => !named.includes(name)).map((name) => `${name}: no row names it`),
      ...named.filter((name) => !theirs.includes(name)).map((name) => `${name}: their types do not have it`),
      ...twice.map((name) => `${name}: two rows name it`),
      ...rows.flatMap((row) => faultOf(row, { section, ours, known })),
    ];
    return faults.map((fault) => `${section.title}: ${fault}`);
  });
}

interface Place {
  readonly section: Section;
  readonly ours: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
}

function faultOf({ name, verdict, text }: Row, { section, ours, known }: Place): string[] {
  const exists = ours.has(name);
  if (verdict === 'refused') {
    if (text === '') return [`${name}: a refusal needs a reason`];
    return exists ? [`${name}: refused, but our types have it`] : [];
  }
  if (verdict !== 'alias') return exists ? [] : [`${name}: ${verdict}, but our types do not have it`];
  const [target = ''] = /^`?([\w$/]+)/.exec(text)?.slice(1) ?? [];
  if (!ours.has(target) && !known.has(target)) return [`${name}: an alias of ${target}, which our types do not have`];
  const isAccepted = section.names === 'written';
  if (exists === isAccepted) return [];
  return [`${name}: an alias that our types ${exists ? 'have: it is the same' : 'do not take'}`];
}

export function printTables(table: CompatTable, members: readonly SectionMembers[]): string {
  return table.sections.map((section, index) => printSection(section, members[index]?.theirs ?? [])).join('\n\n');
}

function printSection(section: Section, order: readonly string[]): string {
  const rows = rowsOf(section).toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length;
  const same = rows.filter(({ verdict }) => verdict === 'same').map(({ name }) => `\`${name}\``);
  const others = new Map<string, Row[]>();
  for (const row of rows.filter(({ verdict }) => verdict !== 'same')) {
    const key = `${row.verdict} ${row.text}`;
    others.set(key, [...(others.get(key) ?? []), row]);
  }
  return [
    `### ${section.title}`,
    ...(section.intro === undefined ? [] : [section.intro]),
    ...(same.length === 0 ? [] : [`The same (${count('same')}): ${same.join(', ')}.`]),
    ...(others.size === 0 ? [] : [['| name | here |', '|---|---|', ...[...others.values()].map(printRow)].join('\n')]),
  ].join('\n\n');
}

/** Names with the same text are one row. */
function printRow(rows: readonly Row[]): string {
  const { verdict = 'same', text = '' } = rows[0] ?? {};
  const names = rows.map(({ name }) => `\`${name}\``).join(', ');
  const lead = { same: 'same', differs: 'same, but', alias: 'alias:', refused: 'refused:' }[verdict];
  return `| ${names} | ${lead} ${text.replaceAll('|', '\\|')} |`;
}

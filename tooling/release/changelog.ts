export interface Changeset {
  readonly bump: 'major' | 'minor' | 'patch';
  readonly text: string;
}

const BUMPS = ['major', 'minor', 'patch'] as const;
const HEADINGS = { major: 'Breaking changes', minor: 'Features', patch: 'Fixes' };

/** Parses a changeset: its largest bump, and its text. Throws if it has none. */
export function readChangeset(file: string): Changeset {
  const [, header = '', text = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file) ?? [];
  const bump = BUMPS.find((name) => new RegExp(`: ${name}$`, 'm').test(header));
  if (bump === undefined || text.trim() === '') throw new Error(`Not a changeset: ${file}`);
  return { bump, text: text.trim() };
}

/** Adds a section for `version` above the latest one. Returns `changelog` as it is if there are no changesets. */
export function addRelease(
  changelog: string,
  { version, changesets }: { readonly version: string; readonly changesets: readonly Changeset[] },
): string {
  if (changesets.length === 0) return changelog;
  const groups = BUMPS.map((bump) => [bump, changesets.filter((changeset) => changeset.bump === bump)] as const);
  const sections = groups
    .filter(([, entries]) => entries.length > 0)
    .map(([bump, entries]) => `### ${HEADINGS[bump]}\n\n${entries.map(({ text }) => toItem(text)).join('\n')}\n`);
  const latest = changelog.search(/^## /m);
  const at = latest === -1 ? changelog.length : latest;
  return `${changelog.slice(0, at)}## ${version}\n\n${sections.join('\n')}\n${changelog.slice(at)}`;
}

/** The section of `version` without its heading. Undefined if there is none. */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`${version}\n`));
  return section?.slice(version.length).trim();
}

function toItem(text: string): string {
  return `- ${text.replaceAll('\n', '\n  ').replaceAll(/^ +$/gm, '')}`;
}

import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
}

/**
 * Writes `THIRD_PARTY_LICENSES.txt` into the folder of a build: the licence of each package that the bundler's
 * metafiles (`metafile-*.json` in `metafileFolders`, removed afterwards) list as an input.
 */
export async function writeThirdPartyLicenses(
  folder: string,
  metafileFolders: readonly string[] = [folder],
): Promise<void> {
  const packages = new Set<string>();
  for (const file of (await Promise.all(metafileFolders.map(metafilesIn))).flat()) {
    const { inputs }: Metafile = JSON.parse(await readFile(file, 'utf8'));
    for (const input of Object.keys(inputs)) addPackage(packages, resolve(input));
    await rm(file);
  }
  const notices = await Promise.all([...packages].map(readNotice));
  await writeFile(join(folder, 'THIRD_PARTY_LICENSES.txt'), printNotices(notices));
}

async function metafilesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => /^metafile-.*\.json$/.test(name)).map((name) => join(folder, name));
}

/** Packages with the same licence text share a copy of it. */
function printNotices(notices: readonly Notice[]): string {
  const groups = new Map<string, Notice[]>();
  for (const notice of notices) {
    const key = notice.terms.replaceAll(/\s+/g, ' ');
    groups.set(key, [...(groups.get(key) ?? []), notice]);
  }
  const printed = [...groups.values()].map((group) => {
    const heads = group.map(({ title, copyright }) => [title, ...copyright].join('\n'));
    return `${heads.toSorted().join('\n\n')}\n${RULE}\n${group[0]?.terms}\n`;
  });
  return printed.toSorted().join('\n\n');
}

const RULE = '-'.repeat(40);

interface Notice {
  readonly title: string;
  /** The copyright lines. */
  readonly copyright: readonly string[];
  readonly terms: string;
}

function addPackage(packages: Set<string>, file: string): void {
  if (!file.includes(`${sep}node_modules${sep}`)) return;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && isPackageRoot(folder)) {
      packages.add(folder);
      return;
    }
  }
}

/** `node_modules/name` or `node_modules/@scope/name`; a package.json further below may only set the type. */
function isPackageRoot(folder: string): boolean {
  const inside = folder.slice(folder.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules${sep}`.length);
  return inside.split(sep).length === (inside.startsWith('@') ? 2 : 1);
}

async function readNotice(folder: string): Promise<Notice> {
  const manifest: { name: string; version: string; license?: unknown } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const title = `${manifest.name} ${manifest.version} (${String(manifest.license)})`;
  const file = (await readdir(folder)).find((name) => /^(licen[cs]e|copying)/i.test(name));
  const text = file === undefined ? 'The package carries no licence text.' : await readFile(join(folder, file), 'utf8');
  const isCopyright = (line: string) => /^\s*(copyright\s+(\(c\)|©|\d)|©)/i.test(line);
  const lines = text.trim().split(/\r?\n/);
  return {
    title,
    copyright: lines.filter(isCopyright).map((line) => line.trim()),
    terms: lines
      .filter((line) => !isCopyright(line))
      .join('\n')
      .trim(),
  };
}

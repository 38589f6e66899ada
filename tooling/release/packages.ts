import { globSync, readFileSync } from 'node:fs';

export interface PublishedPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** Whether it can be loaded with `require()`, and by resolvers that do not read `exports`. */
  readonly hasCommonJs: boolean;
}

/** The packages that go to npm. Paths are relative to the root of the repository. */
export function publishedPackages(): PublishedPackage[] {
  return globSync('packages/*/package.json')
    .toSorted()
    .map((file) => ({ folder: file.replace(/\/package\.json$/, ''), manifest: JSON.parse(readFileSync(file, 'utf8')) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => ({
      folder,
      name: manifest.name,
      version: manifest.version,
      hasCommonJs: JSON.stringify(manifest.exports).includes('"require"'),
    }));
}

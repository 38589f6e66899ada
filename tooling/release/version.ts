// `pnpm release:version`: applies the pending changesets to all versions and moves their text to CHANGELOG.md.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { addRelease, readChangeset } from './changelog.ts';

const changesets = globSync('.changeset/*.md')
  .toSorted()
  .map((file) => readChangeset(readFileSync(file, 'utf8')));
execFileSync('changeset', ['version'], { stdio: 'inherit' });
const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
writeFileSync('CHANGELOG.md', addRelease(readFileSync('CHANGELOG.md', 'utf8'), { version, changesets }));

// The entry of the registry of the Agent Client Protocol.
const entry = JSON.parse(readFileSync('packages/cli/agent.json', 'utf8'));
const npx = { ...entry.distribution.npx, package: `@qwen/cli@${version}` };
const released = { ...entry, version, distribution: { ...entry.distribution, npx } };
writeFileSync('packages/cli/agent.json', `${JSON.stringify(released, undefined, 2)}\n`);

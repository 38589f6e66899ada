// Prints the section of a version in CHANGELOG.md, for the GitHub release: `node print-notes.ts 0.1.0`.
import { readFileSync } from 'node:fs';
import { releaseNotes } from './changelog.ts';

const version = process.argv[2] ?? '';
const notes = releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), version);
if (notes === undefined) throw new Error(`CHANGELOG.md has no section for version ${JSON.stringify(version)}.`);
console.log(notes);

// Compares the types of another SDK with ours and prints the tables of its page. Needs the npm registry.
// `node tooling/checks/compat/compat-tables.ts` checks the page; `--write` rewrites it; `--latest` takes the newest
// version of the package instead of the pinned one.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CLAUDE_AGENT_SDK } from './claude-agent-sdk.ts';
import { faultsOf, printTables } from './compat-table.ts';
import { fetchPackage } from './foreign-package.ts';
import { readMembers } from './read-members.ts';

const PAGE = new URL('../../../docs/claude-agent-sdk.md', import.meta.url);
const START = '<!-- tables: node tooling/checks/compat/compat-tables.ts --write -->';

const { values: flags } = parseArgs({ options: { write: { type: 'boolean' }, latest: { type: 'boolean' } } });
const table = CLAUDE_AGENT_SDK;
await using foreign = await fetchPackage(table.packageName, flags.latest === true ? 'latest' : table.version);
const { sections, known } = await readMembers(table, { theirs: foreign.folder, ours: '@qwen/sdk' });
const faults = faultsOf(table, sections, known);
const page = await readFile(PAGE, 'utf8');
const intro = page.slice(0, page.indexOf(START) + START.length);
const wanted = `${intro}\n\n${printTables(table, sections)}\n`;
if (flags.write === true) await writeFile(PAGE, wanted);
else if (flags.latest !== true && page !== wanted) faults.push('docs/claude-agent-sdk.md is stale: run with --write');
for (const fault of faults) console.error(fault);
console.log(`${table.packageName} ${foreign.version}: ${faults.length} faults in ${sections.length} tables`);
process.exitCode = faults.length === 0 ? 0 : 1;

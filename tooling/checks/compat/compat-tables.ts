// Compares the types of other SDKs with ours and prints the tables of their pages. Needs the npm registry.
// `node tooling/checks/compat/compat-tables.ts` checks the pages; `--write` rewrites them; `--latest` takes the newest
// version of each package instead of the pinned one.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CLAUDE_AGENT_SDK } from './claude-agent-sdk.ts';
import { checkPage } from './compat-page.ts';
import { fetchPackage } from './foreign-package.ts';
import { QWEN_CODE_SDK } from './qwen-code-sdk.ts';

const { values: flags } = parseArgs({ options: { write: { type: 'boolean' }, latest: { type: 'boolean' } } });

for (const table of [CLAUDE_AGENT_SDK, QWEN_CODE_SDK]) {
  await using foreign = await fetchPackage(table.packageName, flags.latest === true ? 'latest' : table.version);
  const { file, wanted, isStale, faults } = await checkPage(table, foreign.folder);
  if (flags.write === true) await writeFile(file, wanted);
  else if (flags.latest !== true && isStale) faults.push(`docs/${table.page} is stale: run with --write`);
  for (const fault of faults) console.error(fault);
  console.log(`${table.packageName} ${foreign.version}: ${faults.length} faults in ${table.sections.length} tables`);
  if (faults.length > 0) process.exitCode = 1;
}

// The last step of `build`: licences, the type of the CommonJS folder, and only those declarations that apps can reach.
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepReachableDeclarations } from '@qwen/build/reachable-declarations.js';
import { writeThirdPartyLicenses } from '@qwen/build/third-party-licenses.js';

const ENTRIES = ['.', 'ai', 'bundle', 'claude', 'claude/sdk-tools', 'stores', 'terminal', 'testing'].map((entry) =>
  join(entry, 'index.d.ts'),
);

await writeThirdPartyLicenses('dist', ['dist', 'dist/cjs']);
await writeFile('dist/cjs/package.json', '{ "type": "commonjs" }\n');
await keepReachableDeclarations('dist', [...ENTRIES, ...ENTRIES.map((entry) => `cjs/${entry}`)]);
// @vercel/nft copies what CommonJS requires by a literal name, but does not follow `createRequire`.
await appendFile(
  'dist/cjs/index.js',
  "\n// Never called: tools that copy what an app uses follow it.\nfunction followCli() {\n  try {\n    require('@qwen/cli/path');\n  } catch {}\n}\n",
);

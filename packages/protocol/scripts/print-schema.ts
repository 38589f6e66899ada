import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { CONTROL_REQUESTS, DEFAULT_TIMEOUTS } from '@qwen/protocol';
import { createIpcSchemas, createJsonSchemas, createOpenApi } from '@qwen/protocol/json-schema';
import { printControlRequestsPage } from './control-requests-page.ts';
import { printHttpApi } from './http-api-page.ts';

// Writes schema/*.json, docs/ipc/*.json, docs/control-requests.md and the routes in docs/http-api.md; with --check it only lists those that are out of date.

const schemaFolder = new URL('../schema/', import.meta.url);
const ipcFolder = new URL('../../../docs/ipc/', import.meta.url);
const pageFile = new URL('../../../docs/control-requests.md', import.meta.url);
const httpPageFile = new URL('../../../docs/http-api.md', import.meta.url);

const schemas = createJsonSchemas();
const files = new Map<string, string>();
for (const [folder, documents] of [
  [schemaFolder, schemas],
  [ipcFolder, createIpcSchemas()],
] as const) {
  for (const [name, schema] of documents) {
    files.set(new URL(`${name}.json`, folder).href, `${JSON.stringify(schema, null, 2)}\n`);
  }
}
const page = printControlRequestsPage({ requests: CONTROL_REQUESTS, schemas, timeouts: DEFAULT_TIMEOUTS });
files.set(pageFile.href, page);
files.set(new URL('openapi.json', schemaFolder).href, `${JSON.stringify(createOpenApi(), null, 2)}\n`);
const [head = '', tail = ''] = (await readFile(httpPageFile, 'utf8')).split(
  /(?<=<!-- routes -->\n)[^]*(?=<!-- end of routes -->)/,
);
files.set(httpPageFile.href, `${head}\n${printHttpApi()}\n${tail}`);

if (process.argv.includes('--check')) await check();
else await write();

async function write(): Promise<void> {
  for (const folder of [schemaFolder, ipcFolder]) await mkdir(folder, { recursive: true });
  for (const [href, content] of files) await writeFile(new URL(href), content);
}

async function check(): Promise<void> {
  const problems: string[] = [];
  for (const [href, content] of files) {
    const found = await readFile(new URL(href), 'utf8').catch(() => undefined);
    if (found === undefined) problems.push(`missing: ${nameOf(href)}`);
    else if (found !== content) problems.push(`out of date: ${nameOf(href)}`);
  }
  for (const folder of [schemaFolder, ipcFolder]) {
    for (const name of await readdir(folder)) {
      if (!files.has(new URL(name, folder).href)) problems.push(`no longer printed: ${nameOf(name)}`);
    }
  }
  if (problems.length === 0) return;
  process.stderr.write(`${problems.join('\n')}\nRun: pnpm --filter @qwen/protocol schema\n`);
  process.exitCode = 1;
}

function nameOf(href: string): string {
  return href.slice(href.lastIndexOf('/') + 1);
}

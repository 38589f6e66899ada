import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PageFile {
  readonly type: string;
  readonly text: string;
}

const page = (name: string) => join(import.meta.dirname, 'page', name);
const installed = (name: string) => fileURLToPath(import.meta.resolve(name));

/** Everything that the page may load. Nothing else is served, whatever is asked for. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['', page('index.html')],
  ['page/style.css', page('style.css')],
  ...['app', 'agent', 'hint-list', 'prompt-box', 'questions', 'trigger'].map(
    (name) => [`page/${name}.ts`, page(`${name}.ts`)] as const,
  ),
  ['xterm.css', installed('@xterm/xterm/css/xterm.css')],
  ['xterm.js', installed('@xterm/xterm/lib/xterm.mjs')],
  ['terminal.js', installed('@qwen/sdk/terminal')],
]);

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  ts: 'text/javascript',
  js: 'text/javascript',
  mjs: 'text/javascript',
};

/** The file of a name, or undefined where there is none. TypeScript loses its types on the way, as Node.js reads it. */
export async function pageFile(name: string): Promise<PageFile | undefined> {
  const path = FILES.get(name);
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8');
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const type = `${TYPES[extension] ?? 'text/plain'}; charset=utf-8`;
  return { type, text: extension === 'ts' ? stripTypeScriptTypes(text) : text };
}

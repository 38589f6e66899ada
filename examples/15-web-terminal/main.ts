// A terminal in a browser: it shows what `qwen` would show, the box to type in is a part of the page.
import { startWebTerminal } from './server.ts';

const terminal = await startWebTerminal({ cwd: process.cwd(), env: process.env });
console.log(`open ${terminal.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void terminal[Symbol.asyncDispose]());
}

// A terminal in a browser: it shows the output of `qwen`, with an input box below.
import { startWebTerminal } from './server.ts';

const terminal = await startWebTerminal({ cwd: process.cwd(), env: process.env });
console.log(`open ${terminal.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void terminal[Symbol.asyncDispose]());
}

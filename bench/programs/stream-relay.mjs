// Baseline of streaming: the same stream through a bare child.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { childFacts } from './child-facts.mjs';
import { createReport } from './stream-report.mjs';

const report = createReport();
const child = spawn(process.execPath, [fileURLToPath(new URL('relay.mjs', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
let rest = '';
child.stdout.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    if (message.type === 'delta') report.note(message.text);
    if (message.type === 'end') {
      report.print(childFacts(child.pid));
      child.stdin.end();
    }
  }
});

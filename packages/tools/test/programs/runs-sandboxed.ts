import { openSandbox } from '../../src/sandbox/sandbox.js';
import { runCommand } from '../../src/shell/run-command.js';

/**
 * Reads lines with a policy and commands, as the user of the first argument. Runs the commands of each line in a
 * sandbox of its own and prints their results as a line.
 */
const uid = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
await import('execa');
if (uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}
process.stdout.write('{"ready":true}\n');
for await (const { id, policy, commands } of requests()) {
  const results = [];
  using sandbox = await openSandbox({ policy });
  for (const command of commands) {
    const result = await runCommand({
      command,
      folder: policy.roots[0],
      environment: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: policy.homeDirectory },
      sandbox,
      timeoutMs: 60_000,
      maxOutputBytes: 100_000,
      signal: new AbortController().signal,
      emit: (text) => {
        if (text.includes('READY')) process.stdout.write(`${JSON.stringify({ text })}\n`);
      },
    });
    results.push({ command, ...result });
  }
  process.stdout.write(`${JSON.stringify({ id, results })}\n`);
}

async function* requests() {
  let rest = '';
  for await (const text of process.stdin.setEncoding('utf8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.map((line) => JSON.parse(line));
  }
}

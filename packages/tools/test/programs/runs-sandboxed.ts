import { openSandbox } from '../../src/sandbox/sandbox.js';
import { runCommand } from '../../src/shell/run-command.js';

/** Runs commands in a sandbox, one after another, as another user if `uid` is given. Prints a line for each. */
const { policy, commands, uid, asks, timeoutMs = 20_000 } = JSON.parse(process.argv[2] ?? '{}');
await import('execa');
if (uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}
const sandbox = await openSandbox({
  policy,
  ...(asks !== undefined && {
    ask: async (host: string) => {
      process.stdout.write(`${JSON.stringify({ asked: host })}\n`);
      return asks.includes(host);
    },
  }),
});
for (const command of commands) {
  const result = await runCommand({
    command,
    folder: policy.roots[0],
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: policy.homeDirectory },
    sandbox,
    timeoutMs,
    maxOutputBytes: 100_000,
    signal: new AbortController().signal,
    emit: (text) => {
      if (text.includes('READY')) process.stdout.write(`${JSON.stringify({ text })}\n`);
    },
  });
  process.stdout.write(`${JSON.stringify({ command, ...result })}\n`);
}

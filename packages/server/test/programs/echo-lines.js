// A CLI that repeats each line of its input, and does what a few of them say.
import { once } from 'node:events';
import process from 'node:process';

const text = new TextDecoder();
let rest = '';

const say = (line) => process.stdout.write(`${line}\n`);

const commands = {
  // How it was started, and as which process.
  who: () =>
    say(JSON.stringify({ pid: process.pid, cwd: process.cwd(), args: process.argv.slice(2), env: process.env })),
  // So many lines of 1,000 bytes, as fast as the pipe takes them.
  flood: async (count) => {
    for (let number = 1; number <= Number(count); number += 1) {
      if (!say(String(number).padEnd(999, '.'))) await once(process.stdout, 'drain');
    }
  },
  noise: () => say('no JSON \r and \u2028 raw'),
  long: (bytes) => say('x'.repeat(Number(bytes))),
  exit: (code) => {
    process.stderr.write('it was told to go\n');
    process.exitCode = Number(code);
    process.stdin.destroy();
  },
  die: () => process.kill(process.pid, 'SIGKILL'),
};

process.stdin.on('data', (chunk) => {
  const lines = (rest + text.decode(chunk, { stream: true })).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const [name, argument] = line.split(' ');
    if (Object.hasOwn(commands, name)) commands[name](argument);
    else say(line);
  }
});

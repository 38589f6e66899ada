// Writes 10 MiB before it reads its second prompt, so that both pipes are full at once; then tells how much it read.
import { result, says, serve, write } from './fake-cli.mjs';

let received = 0;

serve({
  async user(content) {
    received += content.length;
    if (received === content.length) await writeMuch();
    write(result({ received }));
  },
});

async function writeMuch() {
  process.stdin.pause();
  for (let index = 0; index < 160; index += 1) {
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify(says('y'.repeat(65_536)))}\n`, resolve));
  }
  process.stdin.resume();
}

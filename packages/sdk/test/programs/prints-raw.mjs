// Writes the bytes of the prompt (base64) to stdout, in pieces as given by the prompt, between two whole messages.
import { setImmediate as turn } from 'node:timers/promises';
import { result, says, serve, write } from './fake-cli.mjs';

const flushed = (bytes) => new Promise((resolve) => process.stdout.write(bytes, resolve));

serve({
  async user(content) {
    const { base64, pieceBytes } = JSON.parse(content);
    const bytes = Buffer.from(base64, 'base64');
    write(says('before'));
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      await flushed(bytes.subarray(start, start + pieceBytes));
      await turn();
    }
    write(says('after'));
    write(result());
  },
});

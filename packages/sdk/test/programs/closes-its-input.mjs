// Closes its input after the first prompt and goes on living, as a program with a broken reader would. It reads with
// plain system calls, because the stream of Node.js never lets go of its descriptor.
import { closeSync, readSync } from 'node:fs';
import { answer, init, READY, write } from './fake-cli.mjs';

setInterval(() => {}, 1_000);
const buffer = Buffer.alloc(65_536);
let text = '';
let initialized = false;
while (!text.includes('"type":"user"')) {
  try {
    text += buffer.toString('utf8', 0, readSync(0, buffer));
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
  }
  if (initialized || !text.includes('\n')) continue;
  initialized = true;
  answer(JSON.parse(text.split('\n')[0]), READY);
}
closeSync(0);
write(init());

// Writes as many bytes as the prompt says: {"line": n} one line, {"endless": n} without any line end, {"stderr": n}.
import { result, says, serve, write } from './fake-cli.mjs';

const flushed = (stream, text) => new Promise((resolve) => stream.write(text, resolve));
const MIB = 'x'.repeat(1024 * 1024);

serve({
  async user(content) {
    const { line = 0, endless = 0, stderr = 0 } = JSON.parse(content);
    if (line > 0) write(says('x'.repeat(line)));
    for (let written = 0; written < endless; written += MIB.length) await flushed(process.stdout, MIB);
    if (endless > 0) process.stdout.write('\n');
    for (let written = 0; written < stderr; written += MIB.length) await flushed(process.stderr, MIB);
    if (stderr > 0) await flushed(process.stderr, '\nthe end of stderr\n');
    write(result({ result: 'done' }));
  },
});

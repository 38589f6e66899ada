// Answers, but neither the end of its input nor SIGTERM makes it leave.
import { init, result, serve, write } from './fake-cli.mjs';

process.on('SIGTERM', () => process.stderr.write('SIGTERM ignored\n'));
setInterval(() => {}, 1_000);
serve({
  end: () => process.stderr.write('end of input ignored\n'),
  user(content) {
    write(init());
    if (content !== 'hang') write(result());
  },
});

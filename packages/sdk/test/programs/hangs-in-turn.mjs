// Takes a prompt and never answers it, until it is interrupted; it leaves at the end of its input, after its turn.
import { init, result, serve, write } from './fake-cli.mjs';

const turn = setInterval(() => {}, 1_000);
serve({
  user: () => write(init()),
  control(line) {
    if (line.request.subtype === 'interrupt') {
      process.stderr.write('interrupted\n');
      clearInterval(turn);
      write(result({ subtype: 'interrupted' }));
    }
    return false;
  },
});

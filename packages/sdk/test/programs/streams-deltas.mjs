// Writes text deltas until it is told to pause, as a flowing CLI does; the prompt says how many bytes each has.
// Its commands are what it heard of `set_output_flow` so far; its result comes once it was told to go on.
import { answer, delta, result, serve, write } from './fake-cli.mjs';

const heard = [];
let written = 0;
let text = '';

function stream() {
  if (heard.at(-1) === true || heard.length === 2) return;
  write(delta(text));
  written += text.length;
  setImmediate(stream);
}

serve({
  user(content) {
    text = 'z'.repeat(Number(content));
    stream();
  },
  control(line) {
    if (line.request.subtype === 'supported_commands') {
      answer(line, { commands: heard.map(String) });
      return true;
    }
    if (line.request.subtype !== 'set_output_flow') return false;
    heard.push(line.request.paused);
    answer(line, { paused: line.request.paused });
    if (!line.request.paused) write(result({ heard, written }));
    return true;
  },
});

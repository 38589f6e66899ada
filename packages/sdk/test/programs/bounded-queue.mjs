// Takes prompts without answering them until the app asks for its commands; then answers all and tells the longest queue.
import { answer, result, serve, write } from './fake-cli.mjs';

let waiting = 0;
let longest = 0;
let answering = false;

function settle() {
  while (waiting > 0) {
    waiting -= 1;
    write(result({ longest }));
  }
}

serve({
  user() {
    waiting += 1;
    longest = Math.max(longest, waiting);
    if (answering) setImmediate(settle);
  },
  control(line) {
    if (line.request.subtype !== 'supported_commands') return false;
    answer(line, { commands: [String(waiting)] });
    if (waiting >= 32) {
      answering = true;
      setImmediate(settle);
    }
    return true;
  },
});

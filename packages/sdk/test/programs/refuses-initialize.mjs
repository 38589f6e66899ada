// Answers `initialize` with an error, late, after it has seen whether a prompt came too early.
import { serve, write } from './fake-cli.mjs';

let prompts = 0;
serve({
  user: () => {
    prompts += 1;
  },
  control(line) {
    if (line.request.subtype !== 'initialize') return false;
    setTimeout(() => {
      const error = { message: `refused after ${prompts} prompts`, code: 'missing_credentials' };
      write({ type: 'control_response', response: { subtype: 'error', request_id: line.request_id, error } });
    }, 50);
    return true;
  },
});

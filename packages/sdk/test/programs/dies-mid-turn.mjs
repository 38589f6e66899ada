// Begins to answer and is then killed; with the prompt "exit" it exits with code 0 instead, with "error" after an error result.
import { init, result, says, serve, write } from './fake-cli.mjs';

let prompts = 0;
serve({
  user(content) {
    prompts += 1;
    write(init());
    if (content === 'error' && prompts === 1) {
      write(result({ subtype: 'error_during_execution', is_error: true, error: { message: 'quota is used up' } }));
      return;
    }
    process.stderr.write('about to die\n');
    process.stdout.write(`${JSON.stringify(says('half'))}\n`, () => {
      if (content === 'exit') process.exit(0);
      process.kill(process.pid, 'SIGKILL');
    });
  },
});

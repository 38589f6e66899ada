// Asks, withdraws the question once the app has seen it, asks again, and reports the second answer.
import { answer, ask, result, serve, withdrawAll, write } from './fake-cli.mjs';

const question = (id) => ({ subtype: 'can_use_tool', tool_name: 'edit', tool_use_id: id, input: {} });

serve({
  async user() {
    void ask(question('first'));
  },
  control(line) {
    // The app's callback calls this while it is being asked: then the question is known to be open.
    if (line.request.subtype !== 'supported_commands') return false;
    answer(line, { commands: [] });
    withdrawAll();
    void ask(question('second')).then((response) => write(result({ answers: [response] })));
    return true;
  },
});

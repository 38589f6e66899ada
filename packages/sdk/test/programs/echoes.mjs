// Well-behaved: repeats each prompt, tells what it was started with, and leaves at the end of input.
import { answer, init, result, says, serve, write } from './fake-cli.mjs';

serve({
  control(line) {
    const { subtype, ...payload } = line.request;
    if (subtype === 'supported_commands') answer(line, { commands: ['help', 'clear'] });
    else if (subtype === 'mcp_server_status')
      answer(line, { status: { shop: { name: 'connected' }, files: 'connecting' } });
    else if (subtype === 'set_model' || subtype === 'set_permission_mode') {
      write({ type: 'system', subtype: `told_${subtype}`, uuid: 's', session_id: 's', data: payload });
      answer(line, null);
    } else return false;
    return true;
  },
  user(content) {
    write({
      ...init(),
      data: { argv: process.argv.slice(2), cwd: process.cwd(), nodeOptions: process.env.NODE_OPTIONS },
    });
    write(says(typeof content === 'string' ? content : JSON.stringify(content)));
    write(result({ result: content }));
  },
});

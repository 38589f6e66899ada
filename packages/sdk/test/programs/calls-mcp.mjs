// Sends the JSON-RPC messages of the prompt (a JSON list) to the app's server "local", all at once, and reports the answers.
import { answer, ask, READY, result, serve, write } from './fake-cli.mjs';

const notifications = [];

serve({
  control(line) {
    if (line.request.subtype === 'initialize') {
      answer(line, { ...READY, capabilities: { ...READY.capabilities, mcpNotifications: true } });
      return true;
    }
    if (line.request.subtype === 'mcp_notification') notifications.push(line.request.message);
    return false;
  },
  async user(content) {
    const messages = JSON.parse(content);
    const answers = await Promise.all(
      messages.map(({ server = 'local', ...message }) => ask({ subtype: 'mcp_message', server_name: server, message })),
    );
    write(result({ answers, notifications }));
  },
});

// Asks whether tools may run, as many at once as the prompt says, and reports the answers in its result.
import { ask, result, serve, write } from './fake-cli.mjs';

serve({
  async user(content) {
    const answers = Array.from({ length: Number(content) }, (_, index) =>
      ask({
        subtype: 'can_use_tool',
        tool_name: `tool_${index}`,
        tool_use_id: `call_${index}`,
        input: { index },
        permission_suggestions: [{ type: 'allow', label: 'Allow' }],
        blocked_path: '/outside',
        reason: 'it writes',
      }),
    );
    write(result({ answers: await Promise.all(answers) }));
  },
});

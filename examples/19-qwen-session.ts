// Run several conversations in one process, with input hints, slash commands, a tool of the app and heartbeats.
import { type HostTool, openSession } from '@qwen/sdk';
import { toCommandDescriptor } from '@qwen/sdk/terminal';

const stockOf: HostTool = {
  name: 'stock_of',
  description: 'How many bags of a coffee are in stock.',
  parameters: { type: 'object', properties: { coffee: { type: 'string' } }, required: ['coffee'] },
  run: ({ coffee }) => (coffee === 'espresso' ? '14 bags' : 'none'),
};

await using session = await openSession({
  format: 'chunk',
  tools: [stockOf],
  heartbeat: { intervalMs: 5_000, timeoutMs: 10_000, restart: true },
  onConfirm: (question) => {
    console.log(`asked: ${question.kind}`);
    return 'cancel';
  },
});

// An input box requests hints at each keystroke; only the newest request is answered.
const hints = await Promise.all(['/', '/st', '/stats'].map((text) => session.hints({ trigger: 'slash', text })));
console.log(`suggested: ${hints.at(-1)?.suggestions[0]?.label}`);

// Called when the user presses Enter. Two conversations run concurrently.
async function enter(text: string, sessionId: string): Promise<void> {
  if (toCommandDescriptor(text)?.kind === 'slash') {
    const { result } = await session.command(text, { sessionId });
    console.log(`${text}: ${result?.type}`);
    return;
  }
  const turn = session.prompt(text, { sessionId });
  for await (const event of turn) {
    if (event.kind === 'tool' && event.display.status === 'executing') console.log(`runs: ${event.display.tool_name}`);
  }
  const { text: answer, error } = await turn.result;
  console.log(error === undefined ? `${sessionId}: ${answer}` : `${sessionId} failed: ${error.code}`);
}

await enter('How much espresso is left?', 'counter');
await enter('/stats', 'counter');
await Promise.all([enter('And for tomorrow?', 'counter'), enter('Write a haiku about coffee.', 'back-room')]);
console.log(`alive: ${(await session.heartbeat()).status}`);

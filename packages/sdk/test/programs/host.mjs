// An app with a query in mid-turn, on the built package. It prints the pid of the CLI and then does what its second
// argument says: "wait", or "exit" with process.exit().
import { query } from '@qwen/sdk';

const [cli, then] = process.argv.slice(2);
const conversation = query({ prompt: 'hang', options: { pathToQwenExecutable: cli } });
await conversation.next();
process.stdout.write(`${JSON.stringify({ pid: conversation.pid })}\n`, () => {
  if (then === 'exit') process.exit(0);
});
for await (const message of conversation) if (message.type === 'never') break;

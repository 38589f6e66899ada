// Exits at `init`, `result` or the clean `end`.
import { query } from '@qwen/sdk';

const [until] = process.argv.slice(2);

for await (const message of query({ prompt: 'Say a word.' })) {
  if (until === 'init' && message.type === 'system' && message.subtype === 'init') process.exit();
  if (until === 'result' && message.type === 'result') process.exit(message.is_error ? 1 : 0);
}
if (until !== 'end') process.exitCode = 1;

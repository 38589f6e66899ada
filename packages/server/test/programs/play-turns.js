// Plays the turns of whatever sessions lie at a Redis, until it is killed: `node play-turns.js <redis url>`.
import { createServer } from '@qwen/server';

const [, , store = ''] = process.argv;
await createServer({ store, token: 'a-token-that-nobody-sends', role: 'worker', leaseMs: 2500 });
process.stdout.write(`${JSON.stringify({ is: 'ready' })}\n`);

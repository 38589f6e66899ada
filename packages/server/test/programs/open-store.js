// Opens and closes a server: `node open-store.js <store> [without-packages]`. Prints which packages for Redis it loads.
import { registerHooks } from 'node:module';

const [, , store = '', without] = process.argv;
registerHooks({
  resolve: (name, context, next) => {
    if (name !== 'bullmq' && name !== 'ioredis') return next(name, context);
    process.stdout.write(`${name}\n`);
    if (without === undefined) return next(name, context);
    throw Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
const { createServer } = await import('@qwen/server');
try {
  await using _server = await createServer({ store, token: 'a-token-that-nobody-sends' });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

// A chat in a browser. The page talks to this app, and this app to a `qwen serve`. The browser never sees the token.
//   QWEN_SERVER_TOKEN=... qwen serve --require-auth
//   QWEN_SERVER_TOKEN=... node main.ts
import { startChatPage } from './chat-server.ts';

const { QWEN_SERVER_URL: url = 'http://127.0.0.1:3000', QWEN_SERVER_TOKEN: token = '' } = process.env;
const page = await startChatPage({ url, token });
console.log(`open ${page.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void page[Symbol.asyncDispose]());

// Connect to an MCP server that requires a sign-in. A notice contains the sign-in address, and the server's tools are
// available once the user has signed in. The server and the user in this example are simulated.
import { query, type SDKUserMessage } from '@qwen/sdk';
import { openOAuthWorld } from '@qwen/testkit';

const world = await openOAuthWorld();
let begin = (): void => {};
const connected = new Promise<void>((resolve) => {
  begin = resolve;
});

async function* prompts(): AsyncGenerator<SDKUserMessage> {
  await connected;
  yield { type: 'user', message: { role: 'user', content: process.argv[2] ?? 'Who am I?' } };
}

const options = {
  mcpServers: { guarded: { type: 'http', url: world.serverUrl.href } },
  allowedTools: ['mcp__guarded__*'],
};

for await (const message of query({ prompt: prompts(), options })) {
  if (message.type === 'system' && message.subtype === 'notice') {
    const { code, server_name: name, url } = Object(message.data);
    if (code === 'mcp_auth_required') {
      console.log(`sign in to ${name}`);
      void fetch(url);
    }
    if (code === 'mcp_server_connected') begin();
  }
  if (message.type === 'result') console.log(message.result);
}
await world[Symbol.asyncDispose]();

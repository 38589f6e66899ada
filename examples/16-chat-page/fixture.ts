import { createServer } from '@qwen/server';
import {
  isolatedEnvironment,
  type ScriptedModelOptions,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { startChatPage } from './chat-server.ts';

/** A chat page whose agent uses a scripted model. */
export interface ChatPageFixture extends AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly url: string;
  /** Closes all connections to the agent server, and accepts new ones. */
  cut(): Promise<void>;
}

const TOKEN = 'the-token-of-the-chat';

export async function openChatPage(
  replies: readonly ScriptedReply[],
  options?: ScriptedModelOptions,
): Promise<ChatPageFixture> {
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(replies, options);
  const server = await createServer({
    store: 'memory:',
    token: TOKEN,
    requireAuth: true,
    workspace: workspace.path,
    launch: { env: isolatedEnvironment(workspace.resolve('home'), model.env) },
  });
  let listening = await server.listen({ port: 0 });
  const page = await startChatPage({ url: listening.url, token: TOKEN });
  return {
    workspace,
    url: page.url,
    async cut() {
      await listening.close();
      listening = await server.listen({ port: listening.port });
    },
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await server.close({ graceMs: 0 });
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

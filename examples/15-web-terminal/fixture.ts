import { join } from 'node:path';
import {
  isolatedEnvironment,
  programOnPath,
  type ScriptedModelOptions,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { startWebTerminal } from './server.ts';

const CLI = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'qwen.js');

/** A web terminal whose agent uses a scripted model. */
export interface WebTerminalFixture extends AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly url: string;
}

export async function openWebTerminal(
  replies: readonly ScriptedReply[],
  options?: ScriptedModelOptions,
): Promise<WebTerminalFixture> {
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(replies, options);
  const env = isolatedEnvironment(workspace.resolve('home'), model.env);
  env['PATH'] = await programOnPath(workspace, 'qwen', CLI);
  const terminal = await startWebTerminal({ cwd: workspace.path, env });
  return {
    workspace,
    url: terminal.url,
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

// For `node --import`: an app imports the published SDK in the folder CLAUDE_SDK, and starts the CLI in QWEN_CLI.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const published = JSON.stringify(pathToFileURL(`${process.env.CLAUDE_SDK}/sdk.mjs`).href);
const source = `
  import * as sdk from ${published};
  export * from ${published};
  export const query = ({ prompt, options }) =>
    sdk.query({ prompt, options: { pathToClaudeCodeExecutable: process.env.QWEN_CLI, ...options } });`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@anthropic-ai/claude-agent-sdk'
      ? { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true }
      : next(specifier, context),
});

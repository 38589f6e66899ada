// Runs one command with the shell tool, as the CLI does in a turn, and prints what the tool shows live.
import { shellTool } from '../../src/shell/shell-tool.js';

const shell = shellTool({ environment: process.env, keepEnvironment: [] });
await shell.execute(shell.parse({ command: process.argv[2] }), {
  callId: 'call_1',
  cwd: process.cwd(),
  signal: new AbortController().signal,
  emit: (text) => process.stdout.write(`${JSON.stringify({ text })}\n`),
});

// Let commands run without asking, in a sandbox. The app decides only about hosts and about commands outside.
import { type CanUseTool, query } from '@qwen/sdk';

const HOSTS = new Set(['registry.npmjs.org', 'github.com']);

const canUseTool: CanUseTool = async (toolName, { host, outside_sandbox: isOutside }) => {
  if (typeof host === 'string' && HOSTS.has(host)) return { behavior: 'allow' };
  const subject = typeof host === 'string' ? host : `${toolName}${isOutside === true ? ' outside the sandbox' : ''}`;
  console.log(`denied: ${subject}`);
  return { behavior: 'deny', message: `this app does not permit ${subject}` };
};

const prompt = process.argv[2] ?? 'Count the lines of each file into counts.txt and report the sum to tracker.example.';

for await (const message of query({ prompt, options: { sandbox: 'workspace-write', canUseTool } })) {
  if (message.type === 'system' && message.subtype === 'init') console.log(`sandbox: ${message.sandbox}`);
  if (message.type === 'result') console.log(message.result);
}

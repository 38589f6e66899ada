// Asks a person before anything runs: shows the call, offers "always", answers questions, approves plans.
// Run: node approvals.ts prompt; each line of stdin answers one question: yes, always, no, or the text of an answer.
import { createInterface } from 'node:readline';
import { type CanUseTool, type PermissionUpdate, query } from '@anthropic-ai/claude-agent-sdk';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const ask = async (question: string): Promise<string> => {
  console.log(`? ${question}`);
  const { value, done } = await lines.next();
  return done === true ? 'no' : String(value).trim();
};

function describe(update: PermissionUpdate): string {
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules':
      return `${update.behavior} ${update.rules.map((rule) => `${rule.toolName}(${rule.ruleContent ?? ''})`).join()}`;
    case 'setMode':
      return `mode ${update.mode}`;
    default:
      return update.directories.join();
  }
}

interface Question {
  question: string;
  header: string;
  options: { label: string; description: string }[];
  multiSelect: boolean;
}

const canUseTool: CanUseTool = async (toolName, input, { signal, suggestions = [], toolUseID, blockedPath }) => {
  if (signal.aborted) return { behavior: 'deny', message: 'Too late.' };
  if (toolName === 'AskUserQuestion') {
    const answers: Record<string, string> = {};
    for (const { question } of input['questions'] as Question[]) answers[question] = await ask(question);
    return { behavior: 'allow', updatedInput: { ...input, answers } };
  }
  if (toolName === 'ExitPlanMode') {
    const answer = await ask(`Plan: ${String(input['plan'])}`);
    if (answer === 'yes') return { behavior: 'allow', updatedInput: input };
    return { behavior: 'deny', message: 'Plan something else.' };
  }
  if (toolName === 'Bash' && String(input['command']).startsWith('rm ')) {
    return { behavior: 'deny', message: 'Never delete anything.', interrupt: true };
  }
  const always = suggestions.map(describe).join('; ');
  const outside = blockedPath ? ` outside: ${blockedPath}` : '';
  const answer = await ask(`${toolName} ${JSON.stringify(input)}${outside} [${always}]`);
  if (answer === 'always')
    return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions, toolUseID };
  if (answer === 'yes') return { behavior: 'allow', updatedInput: input };
  if (answer.startsWith('run ')) return { behavior: 'allow', updatedInput: { ...input, command: answer.slice(4) } };
  return { behavior: 'deny', message: 'The user said no.' };
};

for await (const message of query({
  prompt: process.argv[2] ?? 'Tidy up.',
  options: { canUseTool, permissionMode: process.argv[3] === 'plan' ? 'plan' : 'default', settingSources: ['project'] },
})) {
  if (message.type !== 'result') continue;
  console.log(`result ${message.subtype}`);
  for (const denial of message.permission_denials) console.log(`denied ${denial.tool_name}`);
}

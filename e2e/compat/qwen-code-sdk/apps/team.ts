// Two subagents with different tools, in a session that is continued and forked. Run: node team.ts
import { isSDKResultMessage, isSDKSystemMessage, type QueryOptions, query, type SubagentConfig } from '@qwen-code/sdk';

const agents: SubagentConfig[] = [
  {
    name: 'reader',
    description: 'Reads files.',
    systemPrompt: 'You read.',
    level: 'session',
    tools: ['read_file', 'list_directory'],
    runConfig: { max_turns: 5 },
  },
  { name: 'writer', description: 'Writes files.', systemPrompt: 'You write.', level: 'session', tools: ['write_file'] },
];

async function run(prompt: string, own: QueryOptions = {}): Promise<string> {
  let session = '';
  const options: QueryOptions = {
    agents,
    permissionMode: 'yolo',
    excludeTools: ['Edit(secret.txt)'],
    ...(process.env['QWEN_CLI'] && { pathToQwenExecutable: process.env['QWEN_CLI'] }),
    ...own,
  };
  for await (const message of query({ prompt, options })) {
    if (isSDKSystemMessage(message) && message.subtype === 'init') {
      session = message.session_id;
      const known = agents.every(({ name }) => message.agents?.includes(name));
      console.log(`knows its team: ${known}`);
    }
    if (message.type === 'assistant' && message.parent_tool_use_id) {
      for (const block of message.message.content)
        if (block.type === 'tool_use') console.log(`member uses ${block.name}`);
    }
    if (isSDKResultMessage(message)) console.log(message.is_error ? 'failed' : message.result);
  }
  return session;
}

const first = await run('Let the writer write a note.');
console.log('same session:', (await run('What did the team do?', { resume: first })) === first);
console.log('other session:', (await run('And in a fork?', { resume: first, forkSession: true })) !== first);

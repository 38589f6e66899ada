// Shows what the tools of the agent did, from their structured results. Run: node review.ts
import type { HookCallback, SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { query } from '@anthropic-ai/claude-agent-sdk';
import type {
  BashInput,
  BashOutput,
  FileEditInput,
  FileEditOutput,
  FileReadOutput,
  FileWriteOutput,
  GlobOutput,
  GrepOutput,
  TodoWriteInput,
} from '@anthropic-ai/claude-agent-sdk/sdk-tools';

const edits: string[] = [];
const track: HookCallback = async (input) => {
  if (input.hook_event_name !== 'PostToolUse') return {};
  const { file_path: file, old_string: before } = input.tool_input as FileEditInput;
  const { structuredPatch, originalFile } = input.tool_response as FileEditOutput;
  const changed = structuredPatch.flatMap(({ lines }) => lines.filter((line) => /^[+-]/.test(line)));
  edits.push(`${file.split('/').at(-1)} ${before} ${changed.join(' ')} of ${originalFile?.length}`);
  return {};
};

const calls = new Map<string, { name: string; input: unknown }>();

function show(message: SDKMessage): void {
  if (message.type === 'assistant') {
    for (const block of message.message.content) {
      if (block.type === 'tool_use') calls.set(block.id, { name: block.name, input: block.input });
    }
  }
  if (message.type !== 'user' || !Array.isArray(message.message.content)) return;
  for (const block of message.message.content) {
    if (block.type !== 'tool_result') continue;
    const call = calls.get(block.tool_use_id);
    const result: unknown = message.tool_use_result;
    switch (call?.name) {
      case 'Bash': {
        const { stdout, interrupted } = result as BashOutput;
        console.log(`$ ${(call.input as BashInput).command}: ${stdout.trim()} ${interrupted}`);
        break;
      }
      case 'Read': {
        const read = result as FileReadOutput;
        if (read.type === 'text')
          console.log(`read ${read.file.numLines} of ${read.file.totalLines}: ${read.file.content.trim()}`);
        break;
      }
      case 'Write': {
        const { type, content } = result as FileWriteOutput;
        console.log(`${type} ${content.length} characters`);
        break;
      }
      case 'Glob': {
        const { filenames, numFiles, truncated } = result as GlobOutput;
        console.log(`${numFiles} ${filenames.map((name) => name.split('/').at(-1)).join()} ${truncated}`);
        break;
      }
      case 'Grep': {
        const { numFiles, mode } = result as GrepOutput;
        console.log(`matches in ${numFiles}, ${mode}`);
        break;
      }
      case 'TodoWrite':
        console.log((call.input as TodoWriteInput).todos.map(({ content, status }) => `${status} ${content}`).join());
        break;
      default:
    }
  }
}

for await (const message of query({
  prompt: 'Work on a.txt.',
  options: {
    permissionMode: 'acceptEdits',
    allowedTools: ['Bash(cat:*)'],
    hooks: { PostToolUse: [{ matcher: 'Edit', hooks: [track] }] },
  },
})) {
  show(message);
}
for (const edit of edits) console.log(`edited ${edit}`);

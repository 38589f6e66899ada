// A lead agent that delegates to a researcher and a writer, and logs what each of them does. Run: node research.ts topic
import { appendFileSync } from 'node:fs';
import type {
  AgentDefinition,
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
  SubagentStartHookInput,
  SubagentStopHookInput,
} from '@anthropic-ai/claude-agent-sdk';
import { query } from '@anthropic-ai/claude-agent-sdk';

const agents: Record<string, AgentDefinition> = {
  researcher: {
    description: 'Finds facts in the notes of this folder and keeps a list of them.',
    prompt: 'You are a researcher. Read the notes and answer with facts only.',
    tools: ['Read', 'Glob', 'Grep', 'Write'],
    model: 'haiku',
  },
  writer: {
    description: 'Writes a report from facts.',
    prompt: 'You are a report writer. Write to reports/ only.',
    tools: ['Write', 'Read'],
    model: 'inherit',
  },
};

const log = (line: string): void => appendFileSync('activity.log', `${line}\n`);

const logTool: HookCallback = async (input, toolUseID) => {
  if (input.hook_event_name !== 'PreToolUse') return {};
  const who = input.agent_type ?? 'lead';
  log(`${who} uses ${input.tool_name}${toolUseID ? '' : ' without an id'}`);
  return {};
};

/** Only one of the team writes, whatever their tools are. */
const readersOnly: HookCallback = async (input) => {
  if (input.hook_event_name !== 'PreToolUse' || input.agent_type === 'writer') return {};
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Only the writer writes.',
    },
  };
};

const started: HookCallback = async (input) => {
  const { agent_id: id, agent_type: type } = input as SubagentStartHookInput;
  log(`start ${type}${id ? '' : ' without an id'}`);
  return {};
};

const stopped: HookCallback = async (input) => {
  const { agent_id: id, agent_type: type, last_assistant_message: last } = input as SubagentStopHookInput;
  log(`stop ${type}${id ? '' : ' without an id'}: ${last ?? 'nothing'}`);
  return {};
};

const hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> = {
  PreToolUse: [{ hooks: [logTool] }, { matcher: 'Write|Edit', hooks: [readersOnly] }],
  SubagentStart: [{ hooks: [started] }],
  SubagentStop: [{ hooks: [stopped] }],
};

const names = new Map<string, string>();
const topic = process.argv[2] ?? 'everything';
for await (const message of query({
  prompt: `Research ${topic}, then write reports/${topic}.md.`,
  options: {
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'You lead a team. Delegate with the Task tool.' },
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
    allowedTools: ['Task', 'Write'],
    agents,
    hooks,
  },
})) {
  if (message.type === 'assistant') {
    const who = message.parent_tool_use_id === null ? 'lead' : (names.get(message.parent_tool_use_id) ?? 'unknown');
    for (const block of message.message.content) {
      if (block.type === 'text') console.log(`${who}: ${block.text}`);
      if (block.type !== 'tool_use') continue;
      if (block.name === 'Task' || block.name === 'Agent') {
        const { subagent_type: type } = block.input as { subagent_type: string };
        names.set(block.id, type);
        console.log(`${who} starts ${type}`);
      } else console.log(`${who} uses ${block.name}`);
    }
  }
  if (message.type === 'result') {
    console.log(message.subtype === 'success' ? `done: ${message.result}` : `failed: ${message.errors.join(', ')}`);
  }
}

import { basename } from 'node:path';
import { AGENT_FILE_MEMBERS, type AgentConfig, type AgentFile, agentFileSchema, describeIssue } from '@qwen/protocol';
import { type Document, parseDocument } from 'yaml';
import { splitList } from '../flags/parse-args.js';
import { isAgentName } from './agent-configs.js';
import { type AgentText, MAX_AGENT_BYTES } from './agent-texts.js';

export type AgentReading =
  | { readonly ok: true; readonly agent: AgentConfig; readonly problems: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

const FILE = /^\ufeff?---[ \t]*\r?\n(?<front>.*?)^---[ \t]*(?:\r?\n(?<prompt>.*))?$/ms;
/** Line number of the front matter's first line, minus one. */
const LINES_BEFORE = 1;

/** Never throws: one bad file must not hide the others. */
export function readAgent({ path, text }: AgentText): AgentReading {
  if (text === undefined) return bad(`it is not a readable file, or larger than ${MAX_AGENT_BYTES} bytes`);
  const { front, prompt = '' } = FILE.exec(text)?.groups ?? {};
  if (front === undefined) return bad('line 1: expected front matter between two lines of ---');
  const document = parseDocument(front, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = (error.linePos?.[0].line ?? 0) + LINES_BEFORE;
    return bad(`line ${line}: the front matter is not valid YAML (${error.code})`);
  }
  const parsed = agentFileSchema.safeParse(toValue(document));
  if (!parsed.success) {
    const [member] = parsed.error.issues[0]?.path ?? [];
    return bad(`line ${lineOf(String(member), front)}: ${describeIssue('front matter', parsed.error)}`);
  }
  const agent = toAgent(parsed.data, { path, prompt: prompt.trim() });
  if (!isAgentName(agent.name))
    return bad(`line ${lineOf('name', front)}: ${JSON.stringify(agent.name)} is not a valid name`);
  const unknown = Object.keys(parsed.data).filter((member) => !AGENT_FILE_MEMBERS.includes(member));
  return { ok: true, agent, problems: unknown.map((member) => unknownMember(member, front)) };
}

/** Aliases are not expanded: a few lines could exhaust the memory. */
function toValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch {
    return undefined;
  }
}

function toAgent(file: AgentFile, { path, prompt }: { path: string; prompt: string }): AgentConfig {
  const { name, description, tools, disallowedTools, color } = file;
  const { runConfig: run, modelConfig: sampling } = file;
  const maxTurns = file.maxTurns ?? run?.maxTurns ?? run?.max_turns;
  const maxTimeMinutes = file.maxTimeMinutes ?? run?.maxTimeMinutes ?? run?.max_time_minutes;
  const runConfig = { ...(maxTurns && { maxTurns }), ...(maxTimeMinutes && { maxTimeMinutes }) };
  const model = file.model ?? sampling?.model;
  const { temp, topP = sampling?.top_p } = sampling ?? {};
  const modelConfig = { ...(typeof temp === 'number' && { temp }), ...(typeof topP === 'number' && { topP }) };
  return {
    name: name ?? basename(path, '.md'),
    filePath: path,
    ...(description && { description }),
    ...(prompt !== '' && { systemPrompt: prompt }),
    ...(tools !== undefined && tools !== null && { tools: toList(tools) }),
    ...(disallowedTools && { disallowedTools: toList(disallowedTools) }),
    ...(model && { model }),
    ...(color && { color }),
    ...(Object.keys(runConfig).length > 0 && { runConfig }),
    ...(Object.keys(modelConfig).length > 0 && { modelConfig }),
  };
}

function toList(names: string | string[]): string[] {
  return typeof names === 'string' ? splitList(names) : names;
}

function unknownMember(member: string, front: string): string {
  return `line ${lineOf(member, front)}: the member ${JSON.stringify(member)} has no effect`;
}

/** The first line when unknown. */
function lineOf(member: string, front: string): number {
  const lines = front.split('\n');
  return lines.findIndex((line) => line.trimStart().startsWith(`${member}:`)) + 1 + LINES_BEFORE;
}

function bad(problem: string): AgentReading {
  return { ok: false, problems: [problem] };
}

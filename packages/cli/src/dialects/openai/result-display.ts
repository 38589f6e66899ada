import type { SubagentRun, ToolDisplay, ToolOutcome } from '@qwen/agent';
import { toPlainText } from '@qwen/host/styled-output/output-for.js';
import { readStyledText, type StyledText } from '@qwen/host/styled-output/styled-text.js';
import { defined } from '@qwen/protocol';
import type { ResultDisplay } from '@qwen/protocol/openai';

type TaskDisplay = Extract<ResultDisplay, { kind: 'task_execution' }>;

/** In UTF-16 units; the model receives the whole result. */
const SHOWN_LENGTH = 16_384;

/** Files inside `cwd` have relative paths. */
export function toResultDisplay({ display, content }: ToolOutcome, cwd: string): ResultDisplay {
  return display === undefined ? toStringDisplay(toPlainText(content)) : fromDisplay(display, cwd);
}

export function toLiveDisplay({ text, ansi }: StyledText): ResultDisplay {
  return { kind: 'string', text, append: true, ...(ansi.length > 0 && { ansi: [...ansi] }), log_scope: 'tool' };
}

function toTaskDisplay(run: SubagentRun): TaskDisplay {
  const { agent, description, prompt, status, toolCalls, result, reason } = run;
  return {
    kind: 'task_execution',
    subagentName: agent,
    ...(description !== undefined && { taskDescription: description }),
    taskPrompt: prompt,
    status,
    toolCalls: toolCalls.map(({ callId, name, status: came }) => ({ callId, name, status: came ?? 'canceled' })),
    ...defined({ result, terminateReason: reason }),
  };
}

function fromDisplay(display: ToolDisplay, cwd: string): ResultDisplay {
  switch (display.kind) {
    case 'text':
      return toStringDisplay(display.text);
    case 'diff': {
      const { path, diff, original, modified, stat } = display;
      return {
        kind: 'file_diff',
        file_name: fromFolder(cwd, path),
        diff,
        original: original ?? null,
        modified: modified ?? null,
        stat: {
          ai_added_lines: stat.aiAdded,
          ai_removed_lines: stat.aiRemoved,
          user_added_lines: stat.userAdded,
          user_removed_lines: stat.userRemoved,
        },
      };
    }
    case 'todos':
      return { kind: 'todo_list', todos: display.todos.map(({ id, content, status }) => ({ id, content, status })) };
    case 'plan':
      return { kind: 'plan_summary', message: display.message, plan_markdown: display.plan };
    case 'task':
      return toTaskDisplay(display);
  }
}

function fromFolder(cwd: string, path: string): string {
  const isInside = path.startsWith(cwd) && /^[/\\]./.test(path.slice(cwd.length));
  return isInside ? path.slice(cwd.length + 1) : path;
}

function toStringDisplay(printed: string): ResultDisplay {
  const shown = printed.slice(0, SHOWN_LENGTH).replace(/[\ud800-\udbff]$/, '');
  const missing = printed.length - shown.length;
  const { text, ansi } = readStyledText(shown);
  return {
    kind: 'string',
    text: missing === 0 ? text : `${text}\n… (${missing} more characters)`,
    ...(ansi.length > 0 && { ansi: [...ansi] }),
    log_scope: 'tool',
  };
}

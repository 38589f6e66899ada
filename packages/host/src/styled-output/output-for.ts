import type { AgentEvent, ToolOutcome } from '@qwen/agent';
import { escapeHidden } from '@qwen/protocol';
import { showDisplay } from './display-runs.js';
import { type StyledOutput, styledOutput, type TextRun } from './styled-output.js';
import { readStyledText } from './styled-text.js';
import { describeLimit } from './turn-verdict.js';

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

const SYSTEM = { to: 'stderr', source: 'system' } as const;
const TOOL = { to: 'stderr', source: 'tool' } as const;

const NOTE = { token: 'AccentYellow' } as const;
const FAILURE = { token: 'AccentRed' } as const;
const NAME = { token: 'AccentCyan', isBold: true } as const;
const ASIDE = { token: 'Gray' } as const;

/**
 * A short text about an event, besides the model's output; undefined when there is nothing to show. Text mode
 * colours it, the openai dialect sends it as an annotation. Pure.
 */
export function outputFor(event: AgentEvent): StyledOutput | undefined {
  switch (event.type) {
    case 'tool_start': {
      const input = oneLine(JSON.stringify(event.input) ?? '');
      return styledOutput(TOOL, [
        '> ',
        [escapeHidden(event.name, { keepLines: true }), NAME],
        ' ',
        [input, ASIDE],
        '\n',
      ]);
    }
    case 'tool_end':
      return resultOutput(event.outcome);
    case 'retry':
      return note(retryWords(event));
    case 'model_fallback':
      return note(`${event.error.message} Continuing with ${event.to}.`);
    case 'notice':
      return note(event.message);
    case 'compacted': {
      const { tokensBefore, tokensAfter } = event;
      return note(`The conversation was compacted: ${tokensBefore} tokens before, ${tokensAfter} after.`);
    }
    default:
      return undefined;
  }
}

/** Without a delay, the request leaves out what the provider refused. */
export function retryWords({
  delayMs,
  error,
}: Pick<Extract<AgentEvent, { type: 'retry' }>, 'delayMs' | 'error'>): string {
  const next =
    delayMs === 0 ? 'Sending the request again without that.' : `Retrying in ${Math.ceil(delayMs / 1000)} s.`;
  return `${error.message}${/[.!?…]$/.test(error.message) ? '' : '.'} ${next}`;
}

/** Why a turn ended early. `mark` starts the line on screen; `words` is the full text. */
export interface EndingWords {
  readonly mark: string;
  readonly words: string;
}

export function describeEnding({ outcome }: TurnEnd): EndingWords | undefined {
  switch (outcome.type) {
    case 'success':
      return undefined;
    case 'interrupted':
      return { mark: '! ', words: escapeHidden(outcome.reason, { keepLines: true }) };
    case 'budget':
      return { mark: '! ', words: describeLimit(outcome.limit) };
    case 'max_turns':
      return { mark: '! ', words: `Stopped after ${outcome.limit} model calls.` };
    case 'error':
      return { mark: 'qwen: ', words: escapeHidden(outcome.error.message, { keepLines: true }) };
  }
}

export function failureNotice(runs: readonly string[]): StyledOutput {
  return styledOutput(
    SYSTEM,
    runs.map((text): TextRun => (text === '\n' ? text : [text, FAILURE])),
  );
}

function resultOutput({ status, isError, name, content, display }: ToolOutcome): StyledOutput | undefined {
  if (isError) {
    const isDenied = status === 'canceled';
    const style = isDenied ? NOTE : FAILURE;
    const text = oneLine(readStyledText(toPlainText(content)).text, isDenied ? DENIAL_LENGTH : REMARK_LENGTH);
    // Errors about the input already name the tool.
    const shown = text.startsWith(`${name}: `) ? text : `${escapeHidden(name, { keepLines: true })}: ${text}`;
    return styledOutput(TOOL, [[`! ${shown}`, style], '\n']);
  }
  const shown = display === undefined ? [] : showDisplay(display);
  return shown.length === 0 ? undefined : styledOutput(TOOL, shown);
}

export function note(message: string): StyledOutput {
  return styledOutput(SYSTEM, [[`! ${escapeHidden(message, { keepLines: true })}`, NOTE], '\n']);
}

/** Brackets stand for other content. */
export function toPlainText(content: ToolOutcome['content']): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
}

const REMARK_LENGTH = 160;
/** A denial ends with the flag that allows the call. */
const DENIAL_LENGTH = 1000;

function oneLine(text: string, maxLength = REMARK_LENGTH): string {
  return escapeHidden(text.trim().replaceAll(/\s*\n\s*/g, ' '), { maxLength });
}

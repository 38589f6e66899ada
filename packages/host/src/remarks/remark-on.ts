import type { AgentEvent, ToolOutcome } from '@qwen/agent';
import { toVisibleLine, toVisibleLines } from '../visible-text.js';
import { showDisplay } from './display-stretches.js';
import { type Remark, remark, type Stretch } from './remark.js';
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
 * What a person reads about an event beside the words of the model, in short; undefined where there is nothing to say.
 * The one renderer of remarks: text mode paints them, the openai dialect gives them as annotations. Pure.
 */
export function remarkOn(event: AgentEvent): Remark | undefined {
  switch (event.type) {
    case 'tool_start': {
      const input = oneLine(JSON.stringify(event.input) ?? '');
      return remark(TOOL, ['> ', [toVisibleLines(event.name), NAME], ' ', [input, ASIDE], '\n']);
    }
    case 'tool_end':
      return remarkOnResult(event.outcome);
    case 'retry':
      return note(`${event.error.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s.`);
    case 'model_fallback':
      return note(`${event.error.message} Going on with ${event.to}.`);
    case 'notice':
      return note(event.message);
    case 'compacted': {
      const { tokensBefore, tokensAfter } = event;
      return note(`The older part of the conversation was summed up: ${tokensBefore} tokens are ${tokensAfter} now.`);
    }
    default:
      return undefined;
  }
}

/** Why a turn came to no end of its own. `mark` opens the line of the screen; `words` say it all. */
export interface EndingWords {
  readonly mark: string;
  readonly words: string;
}

/** Undefined for a turn that came to its own end. */
export function describeEnding({ outcome }: TurnEnd): EndingWords | undefined {
  switch (outcome.type) {
    case 'success':
      return undefined;
    case 'interrupted':
      return { mark: '! ', words: toVisibleLines(outcome.reason) };
    case 'budget':
      return { mark: '! ', words: describeLimit(outcome.limit) };
    case 'max_turns':
      return { mark: '! ', words: `Stopped after ${outcome.limit} model calls.` };
    case 'error':
      return { mark: 'qwen: ', words: toVisibleLines(outcome.error.message) };
  }
}

/** Words of a failure, as they look on a screen. */
export function failureRemark(stretches: readonly string[]): Remark {
  return remark(
    SYSTEM,
    stretches.map((text): Stretch => (text === '\n' ? text : [text, FAILURE])),
  );
}

function remarkOnResult({ status, isError, name, content, display }: ToolOutcome): Remark | undefined {
  if (isError) {
    const style = status === 'canceled' ? NOTE : FAILURE;
    return remark(TOOL, [
      [`! ${toVisibleLines(name)}: ${oneLine(readStyledText(toPlainText(content)).text)}`, style],
      '\n',
    ]);
  }
  const shown = display === undefined ? [] : showDisplay(display);
  return shown.length === 0 ? undefined : remark(TOOL, shown);
}

/** Something a person should know. */
export function note(message: string): Remark {
  return remark(SYSTEM, [[`! ${toVisibleLines(message)}`, NOTE], '\n']);
}

/** What the model reads, as text; a word in brackets stands for what is none. */
export function toPlainText(content: ToolOutcome['content']): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
}

const REMARK_LENGTH = 160;

function oneLine(text: string): string {
  return toVisibleLine(text.trim().replaceAll(/\s*\n\s*/g, ' '), REMARK_LENGTH);
}

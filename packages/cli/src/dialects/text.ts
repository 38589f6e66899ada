import type { AgentEvent } from '@qwen/agent';
import { toVisibleLine, toVisibleLines } from '../visible-text.js';
import type { Dialect } from './dialect.js';
import { describeLimit } from './turn-verdict.js';

/** A piece of what a person reads: the answer goes to stdout, everything around it to stderr. */
export interface TextPiece {
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
}

/** What a person reads who gives one prompt and waits: the words as they come, and in short what the tools do. */
export function createText(): Dialect<TextPiece> {
  let isInsideLine = false;

  const answer = (text: string): readonly TextPiece[] => {
    if (text === '') return [];
    isInsideLine = !text.endsWith('\n');
    return [{ to: 'stdout', text }];
  };

  const endLine = (): readonly TextPiece[] => (isInsideLine ? answer('\n') : []);

  const remarkOn = (event: AgentEvent): readonly TextPiece[] => {
    const remark = toRemark(event);
    return remark === undefined ? [] : [...endLine(), { to: 'stderr', text: `${toVisibleLines(remark)}\n` }];
  };

  return (event) => {
    // What a subagent says is for its agent, and would come in between the words of others.
    if ((event.type === 'block_delta' || event.type === 'message_end') && event.parentToolUseId !== null) return [];
    switch (event.type) {
      case 'block_delta':
        return event.kind === 'text' ? answer(event.text) : [];
      case 'message_end':
        return endLine();
      case 'turn_end':
        return event.outcome.type === 'success' && event.outcome.structured !== undefined
          ? answer(`${event.outcome.text}\n`)
          : remarkOn(event);
      default:
        return remarkOn(event);
    }
  };
}

function toRemark(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool_start':
      return `> ${event.name} ${oneLine(JSON.stringify(event.input) ?? '')}`;
    case 'tool_end':
      return event.outcome.isError ? `! ${event.outcome.name}: ${oneLine(toText(event.outcome.content))}` : undefined;
    case 'retry':
      return `! ${event.error.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s.`;
    case 'model_fallback':
      return `! ${event.error.message} Going on with ${event.to}.`;
    case 'notice':
      return `! ${event.message}`;
    case 'compacted':
      return `! The older part of the conversation was summed up: ${event.tokensBefore} tokens are ${event.tokensAfter} now.`;
    case 'turn_end':
      return toEnding(event);
    default:
      return undefined;
  }
}

function toEnding({ outcome }: Extract<AgentEvent, { type: 'turn_end' }>): string | undefined {
  switch (outcome.type) {
    case 'success':
      return undefined;
    case 'interrupted':
      return `! ${outcome.reason}`;
    case 'budget':
      return `! ${describeLimit(outcome.limit)}`;
    case 'max_turns':
      return `! Stopped after ${outcome.limit} model calls.`;
    case 'error':
      return `qwen: ${outcome.error.message}`;
  }
}

type Content = Extract<AgentEvent, { type: 'tool_end' }>['outcome']['content'];

function toText(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
}

const REMARK_LENGTH = 160;

function oneLine(text: string): string {
  return toVisibleLine(text.trim().replaceAll(/\s*\n\s*/g, ' '), REMARK_LENGTH);
}

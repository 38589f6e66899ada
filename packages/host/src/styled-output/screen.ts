import type { AgentEvent } from '@qwen/agent';
import type { Dialect } from './dialect.js';
import { describeEnding, type EndingWords, note, outputFor } from './output-for.js';
import { LINE_END, type StyledOutput, styledOutput } from './styled-output.js';

export type ScreenPiece =
  /** Model output, unchanged. */
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'styledOutput'; readonly styledOutput: StyledOutput }
  /** Why a turn failed, on a separate line. */
  | { readonly type: 'failure'; readonly failure: EndingWords };

/** Most events are a piece of an answer or silent. */
const NOTHING: readonly ScreenPiece[] = [];

/** The main agent's text as it streams, and notices, which never split an answer. */
export function createScreen(): Dialect<ScreenPiece> {
  let isInsideAnswer = false;
  let isInsideLine = false;
  let held: StyledOutput[] = [];

  const endAnswer = (): readonly ScreenPiece[] => {
    const outputs = [...(isInsideLine ? [LINE_END] : []), ...held];
    isInsideAnswer = false;
    isInsideLine = false;
    held = [];
    return outputs.map(toPiece);
  };

  return (event) => {
    // A subagent's text is for its parent.
    if ((event.type === 'block_delta' || event.type === 'message_end') && event.parentToolUseId !== null)
      return NOTHING;
    switch (event.type) {
      case 'block_delta': {
        if (event.kind !== 'text' || event.text === '') return NOTHING;
        isInsideAnswer = true;
        isInsideLine = !event.text.endsWith('\n');
        return [{ type: 'answer', text: event.text }];
      }
      case 'message_end':
        // The next message continues the line.
        return event.stopReason === 'max_tokens' && isInsideLine ? NOTHING : endAnswer();
      case 'turn_end':
        return [...endAnswer(), ...lastWords(event)];
      default: {
        const said = outputFor(event);
        if (said === undefined) return NOTHING;
        if (!isInsideAnswer) return [toPiece(said)];
        held.push(said);
        return NOTHING;
      }
    }
  };
}

function lastWords(event: Extract<AgentEvent, { type: 'turn_end' }>): readonly ScreenPiece[] {
  const { outcome } = event;
  if (outcome.type === 'success') {
    if (outcome.structured === undefined) return NOTHING;
    return [toPiece(styledOutput({ to: 'stdout', source: 'assistant' }, [`${outcome.text}\n`]))];
  }
  const ending = describeEnding(event);
  if (ending === undefined) return NOTHING;
  return outcome.type === 'interrupted' ? [toPiece(note(ending.words))] : [{ type: 'failure', failure: ending }];
}

function toPiece(said: StyledOutput): ScreenPiece {
  return { type: 'styledOutput', styledOutput: said };
}

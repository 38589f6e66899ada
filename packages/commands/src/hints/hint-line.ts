import type { HintLine, HintRequest } from '@qwen/protocol/openai';
import type { HintAnswer, HintQuery } from './hint.js';

/** `cwd` is the default folder. The cursor is clamped to the text. */
export function toHintQuery(request: HintRequest, cwd: string): HintQuery {
  const { prompt_id: promptId, trigger, text, cursor, context } = request;
  return {
    promptId,
    trigger,
    text,
    cursor: Math.min(Math.max(Math.trunc(cursor ?? text.length), 0), text.length),
    cwd: context?.cwd || cwd,
  };
}

/** Echoes the query, so that hosts can match the answer. */
export function toHintLine(answer: HintAnswer, sessionId: string): HintLine {
  const { query, status } = answer;
  return {
    type: 'result/command_hint',
    session_id: sessionId,
    ...(query.promptId !== undefined && { prompt_id: query.promptId }),
    trigger: query.trigger,
    status,
    suggestions: status === 'ok' ? answer.suggestions.map(withoutGaps) : [],
    ...(status === 'error' && { message: answer.message }),
    metadata: {
      is_perfect_match: status === 'ok' && answer.isPerfectMatch,
      text: query.text,
      cursor: query.cursor,
    },
  };
}

function withoutGaps({ description, ...suggestion }: Extract<HintAnswer, { status: 'ok' }>['suggestions'][number]) {
  return description === undefined || description === '' ? suggestion : { ...suggestion, description };
}

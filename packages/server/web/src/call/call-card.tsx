import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Block, CallState } from '../conversation/conversation.js';
import { CallDetailView } from './call-detail.js';
import { describeCall } from './describe-call.js';
import { toShownResult } from './result-text.js';

export interface CallCardProps {
  readonly call: Extract<Block, { readonly type: 'tool' }>;
  readonly state: CallState | undefined;
  /** Whether the turn of the call is still going on. */
  readonly isRunning: boolean;
  /** What a subagent says and does on behalf of the call. */
  readonly children?: ComponentChildren;
}

/** Tools whose call is worth seeing without a click. While it is asked about, the question shows it. */
const OPEN_TOOLS = new Set(['edit', 'write_file', 'run_shell_command', 'todo_write', 'task']);

/** One tool call with what it does and what came of it. */
export function CallCard({ call, state, isRunning, children }: CallCardProps) {
  const { name, input, inputText } = call;
  const { subject, detail } = useMemo(() => describeCall(name, input), [name, input]);
  const status = statusOf(call, state, isRunning);
  return (
    <details class={`call ${status.kind}`} open={OPEN_TOOLS.has(name) && status.kind !== 'asks'}>
      <summary>
        <span class="call-name">{name}</span>
        <span class="call-subject">{subject}</span>
        <span class="call-status">{status.word}</span>
      </summary>
      <div class="call-body">
        {input === undefined ? (
          <p class="muted">{inputText.length} characters so far</p>
        ) : (
          <CallDetailView detail={detail} />
        )}
        {children}
        {state?.result !== undefined && <Result content={state.result.content} isError={state.result.isError} />}
      </div>
    </details>
  );
}

function statusOf(call: CallCardProps['call'], state: CallState | undefined, isRunning: boolean) {
  const verdict = state?.approval?.verdict;
  if (state?.result !== undefined) {
    if (verdict?.behavior === 'deny')
      return { kind: 'denied', word: verdict.by === 'client' ? 'denied' : 'not allowed' };
    return state.result.isError ? { kind: 'failed', word: 'failed' } : { kind: 'done', word: 'done' };
  }
  if (state?.approval !== undefined && verdict === undefined) return { kind: 'asks', word: 'waits for you' };
  if (!isRunning) return { kind: 'denied', word: 'did not run' };
  return call.input === undefined ? { kind: 'running', word: 'being written' } : { kind: 'running', word: 'running' };
}

const SHOWN_CHARACTERS = 4000;

function Result({ content, isError }: { readonly content: unknown; readonly isError: boolean }) {
  const [isWhole, setIsWhole] = useState(false);
  const { text, images } = useMemo(() => toShownResult(content), [content]);
  const shown = isWhole ? text : text.slice(0, SHOWN_CHARACTERS);
  return (
    <div class="result">
      {text !== '' && (
        <pre class={isError ? 'error' : undefined} role="group" aria-label={isError ? 'Error' : 'Result'} tabIndex={0}>
          {shown}
        </pre>
      )}
      {shown.length < text.length && (
        <button type="button" class="quiet" onClick={() => setIsWhole(true)}>
          Show all {text.length} characters
        </button>
      )}
      {images.map((address) => (
        <img src={address} alt="Shown by the tool" />
      ))}
    </div>
  );
}

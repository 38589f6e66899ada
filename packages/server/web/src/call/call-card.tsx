import { contentBlockSchema, escapeHidden } from '@qwen/protocol';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import * as z from 'zod/mini';
import { toImageAddress } from '../conversation/answer-blocks.js';
import type { Block, CallState } from '../conversation/conversation.js';
import { CallDetailView } from './call-detail.js';
import { describeCall } from './describe-call.js';

export interface CallCardProps {
  readonly call: Extract<Block, { readonly type: 'tool' }>;
  readonly state: CallState | undefined;
  /** Whether the turn of the call is running. */
  readonly isRunning: boolean;
  /** Output of a subagent. */
  readonly children?: ComponentChildren;
}

/** Tools whose details are open by default, unless an approval request shows them. */
const OPEN_TOOLS = new Set(['edit', 'write_file', 'run_shell_command', 'todo_write', 'task']);

export function CallCard({ call, state, isRunning, children }: CallCardProps) {
  const { name, input, inputText } = call;
  const { subject, detail } = useMemo(() => describeCall(name, input), [name, input]);
  const status = statusOf(call, state, isRunning);
  return (
    <details class={`call ${status.kind}`} open={OPEN_TOOLS.has(name) && status.kind !== 'asks'}>
      <summary>
        <span class="call-name">{escapeHidden(name)}</span>
        <span class="call-subject">{escapeHidden(subject)}</span>
        <span class="call-status">{status.label}</span>
      </summary>
      <div class="call-body">
        {input === undefined ? (
          <p class="muted">{inputText.length} characters received</p>
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
      return { kind: 'denied', label: verdict.by === 'client' ? 'denied' : 'not approved' };
    return state.result.isError ? { kind: 'failed', label: 'failed' } : { kind: 'done', label: 'done' };
  }
  if (state?.approval !== undefined && verdict === undefined) return { kind: 'asks', label: 'waiting for approval' };
  if (!isRunning) return { kind: 'denied', label: 'not run' };
  return call.input === undefined ? { kind: 'running', label: 'preparing' } : { kind: 'running', label: 'running' };
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
        <img src={address} alt="Tool result" />
      ))}
    </div>
  );
}

interface ShownResult {
  readonly text: string;
  /** `data:` URLs. */
  readonly images: readonly string[];
}

/** Accepts text, content blocks and any other JSON of custom tools. */
function toShownResult(content: unknown): ShownResult {
  if (typeof content === 'string') return { text: content, images: [] };
  if (content === undefined || content === null) return { text: '', images: [] };
  const { data: blocks } = z.safeParse(z.array(contentBlockSchema), content);
  if (blocks === undefined) return { text: JSON.stringify(content, undefined, 2), images: [] };
  const images = blocks.flatMap((block) => (block.type === 'image' ? (toImageAddress(block) ?? []) : []));
  return { text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'), images };
}

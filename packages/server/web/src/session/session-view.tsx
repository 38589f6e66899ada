import { useCallback, useEffect } from 'preact/hooks';
import { ApprovalCard } from '../call/approval-card.js';
import { Composer } from '../composer/composer.js';
import { openApprovals } from '../conversation/conversation.js';
import { Announcer } from '../transcript/announcer.js';
import { Transcript } from '../transcript/transcript.js';
import type { ConversationState, OpenConversation } from './open-conversation.js';
import type { PageStore } from './page-store.js';
import { useStore } from './use-store.js';

export interface SessionViewProps {
  readonly page: PageStore;
  readonly session: OpenConversation;
  readonly title: string;
}

export function SessionView({ page, session, title }: SessionViewProps) {
  const state = useStore(session);
  const { draft } = useStore(page);
  const { conversation, phase } = state;
  const [approval] = openApprovals(conversation);
  const askHints = useCallback<PageStore['hints']>((asked, signal) => page.hints(asked, signal), [page]);
  const readFile = useCallback((path: string) => page.readFile(path), [page]);
  const isRunning = conversation.runningRequestId !== undefined;
  const isAsking = approval !== undefined;
  useEffect(() => {
    // Visible from other tabs.
    document.title = `${isAsking ? '(?) ' : ''}${isRunning && !isAsking ? '… ' : ''}${title} · qwen`;
  }, [title, isRunning, isAsking]);
  useEffect(() => {
    // The end of a turn changes the last activity.
    if (!isRunning) void page.refresh();
  }, [isRunning]);
  return (
    <>
      <StatusLine state={state} isRunning={isRunning} />
      <Announcer conversation={conversation} isLive={phase !== 'loading'} />
      <Transcript
        conversation={conversation}
        onCommand={(command) => void page.send(command)}
        emptyText={phase === 'loading' ? 'Loading…' : 'This session has no messages yet.'}
      />
      {approval !== undefined && (
        <ApprovalCard
          key={approval.approvalId}
          approval={approval}
          readFile={readFile}
          onDecide={(decision) => page.decide(approval, decision)}
        />
      )}
      <Composer
        isRunning={isRunning}
        placeholder={isRunning ? 'The agent is working. Press Escape to stop.' : 'Message, /command or @file'}
        draft={draft}
        focusKey={approval?.approvalId}
        askHints={askHints}
        onSend={(text) => page.send(text)}
        onStop={() => void page.stop()}
      />
    </>
  );
}

const PHASE_LABELS = { loading: 'loading', reconnecting: 'reconnecting', over: 'not connected' } as const;

function StatusLine({ state, isRunning }: { readonly state: ConversationState; readonly isRunning: boolean }) {
  const { phase, problem, conversation } = state;
  const { queuedRequestIds, sandbox } = conversation;
  const waiting = queuedRequestIds.length;
  const working = isRunning ? `working${waiting === 0 ? '' : ` · Queued: ${waiting}`}` : 'ready';
  return (
    <p class={`status ${phase}`} role="status" data-status>
      {phase === 'live' ? working : PHASE_LABELS[phase]}
      {sandbox === 'unavailable' && <span class="warning"> · no sandbox</span>}
      {sandbox !== 'off' && sandbox !== 'unavailable' && <span class="muted"> · sandbox: {sandbox}</span>}
      {problem !== undefined && <span class="muted"> · {problem}</span>}
    </p>
  );
}

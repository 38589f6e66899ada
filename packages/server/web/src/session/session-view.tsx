import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { ApprovalCard } from '../call/approval-card.js';
import { changedFiles } from '../call/file-changes.js';
import { Composer } from '../composer/composer.js';
import { SessionSettings } from '../composer/session-settings.js';
import { WaitingList } from '../composer/waiting-list.js';
import { openApprovals, totalUsage, waitingMessages } from '../conversation/conversation.js';
import { ChangesDialog } from '../dialogs/changes-dialog.js';
import { TasksButton } from '../tasks/tasks-button.js';
import { Announcer } from '../transcript/announcer.js';
import { TodoPanel } from '../transcript/todo-panel.js';
import { Transcript } from '../transcript/transcript.js';
import { UsageText } from '../transcript/usage-text.js';
import type { ConversationState, OpenConversation } from './open-conversation.js';
import { mayDo, type PageStore } from './page-store.js';
import { useStore } from './use-store.js';

export interface SessionViewProps {
  readonly page: PageStore;
  readonly session: OpenConversation;
  readonly title: string;
}

export function SessionView({ page, session, title }: SessionViewProps) {
  const state = useStore(session);
  const { draft, current, linkedSessionId } = useStore(page);
  const { conversation, phase } = state;
  const [approval] = openApprovals(conversation);
  const askHints = useCallback<PageStore['hints']>((asked, signal) => page.hints(asked, signal), [page]);
  const readFile = useCallback((path: string) => page.readFile(path), [page]);
  const isRunning = conversation.runningRequestId !== undefined;
  const history = useMemo(
    () =>
      conversation.entries.flatMap((entry) =>
        entry.kind === 'user' && entry.parentToolUseId === null ? [entry.text] : [],
      ),
    [conversation.entries.length],
  );
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
      <div class="status-row">
        <StatusLine state={state} isRunning={isRunning} />
        <ChangesButton conversation={conversation} />
        {linkedSessionId === undefined && (
          <TasksButton page={page} sessionId={session.sessionId} isRunning={isRunning} />
        )}
      </div>
      <Announcer conversation={conversation} isLive={phase !== 'loading'} />
      <Transcript
        conversation={conversation}
        actions={
          mayDo(page.state, 'write')
            ? {
                onCommand: (text) => void page.send({ text, attachments: [], priority: 'later' }),
                onFork: (message) => void page.fork(session.sessionId, message),
              }
            : undefined
        }
        emptyText={phase === 'loading' ? 'Loading…' : 'This session has no messages yet.'}
      />
      {approval !== undefined && (
        <ApprovalCard
          key={approval.approvalId}
          approval={approval}
          readFile={readFile}
          canDecide={mayDo(page.state, 'approve')}
          onDecide={(decision) => page.decide(approval, decision)}
        />
      )}
      <TodoPanel conversation={conversation} />
      <WaitingList
        messages={waitingMessages(conversation)}
        onTakeBack={mayDo(page.state, 'write') ? (message) => void page.takeBack(message) : undefined}
      />
      {mayDo(page.state, 'write') && (
        <Composer
          isRunning={isRunning}
          placeholder={isRunning ? 'Send a message to the running turn' : 'Message, /command or @file'}
          draft={page.drafts.get(session.sessionId)}
          restored={draft}
          onDraft={(text) => page.drafts.set(session.sessionId, text)}
          history={history}
          focusKey={approval?.approvalId}
          askHints={askHints}
          onSend={(message) => page.send(message)}
          onStop={() => void page.stop()}
        >
          {current !== undefined && <SessionSettings page={page} session={current} />}
        </Composer>
      )}
    </>
  );
}

function ChangesButton({ conversation }: Pick<ConversationState, 'conversation'>) {
  const [isOpen, setIsOpen] = useState(false);
  const files = useMemo(() => changedFiles(conversation), [conversation.calls]);
  if (files.length === 0) return null;
  return (
    <>
      <button type="button" class="quiet" onClick={() => setIsOpen(true)}>
        {files.length === 1 ? '1 changed file' : `${files.length} changed files`}
      </button>
      {isOpen && <ChangesDialog files={files} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const PHASE_LABELS = { loading: 'loading', reconnecting: 'reconnecting', over: 'not connected' } as const;

function StatusLine({ state, isRunning }: { readonly state: ConversationState; readonly isRunning: boolean }) {
  const { phase, problem, conversation } = state;
  const { sandbox } = conversation;
  const usage = totalUsage(conversation);
  const working = isRunning ? 'working' : 'ready';
  return (
    <p class={`status ${phase}`} role="status" data-status>
      {phase === 'live' ? working : PHASE_LABELS[phase]}
      {sandbox === 'unavailable' && <span class="warning"> · no sandbox</span>}
      {sandbox !== 'off' && sandbox !== 'unavailable' && <span class="muted"> · sandbox: {sandbox}</span>}
      {usage !== undefined && (
        <span class="muted">
          {' · '}
          <UsageText usage={usage} />
        </span>
      )}
      {problem !== undefined && <span class="muted"> · {problem}</span>}
    </p>
  );
}

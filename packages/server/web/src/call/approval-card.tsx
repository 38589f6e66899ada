import { escapeHidden } from '@qwen/protocol';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Approval } from '../conversation/conversation.js';
import { CodeBlock } from '../markdown/code-block.js';
import { CallDetailView, type CallDetailViewProps } from './call-detail.js';
import { describeCall } from './describe-call.js';
import { QuestionForm } from './question-form.js';

export interface Decision {
  readonly behavior: 'allow' | 'deny';
  /** Reason of a denial, for the model. */
  readonly message?: string;
  readonly updatedInput?: Record<string, unknown>;
  /** Index of a suggestion, whose rules apply from now on. */
  readonly suggestion?: number;
}

export interface ApprovalCardProps {
  readonly approval: Approval;
  /** Resolves with '' for a missing file, undefined for one that cannot be compared. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** Whether the token may answer. */
  readonly canDecide: boolean;
  readonly onDecide: (decision: Decision) => Promise<void>;
}

/** Milliseconds. A click or key that arrives earlier was meant for what was there before. */
const SETTLE_MS = 700;

/** An approval request with its details and buttons. Nothing is preselected, so that no key decides by accident. */
export function ApprovalCard({ approval, readFile, canDecide, onDecide }: ApprovalCardProps) {
  const { toolName, input, reason, blockedPath, suggestions, expiresAt } = approval;
  const { detail, rest } = useMemo(() => describeCall(toolName, input), [toolName, input]);
  const path = detail.kind === 'write' || detail.kind === 'edit' ? detail.path : undefined;
  const before = useFileBefore(path, readFile);
  const [message, setMessage] = useState('');
  const [isSending, setIsSending] = useState(false);
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const isDisabled = isSending || !isSettled || !canDecide;
  const decide = (decision: Decision) => {
    setIsSending(true);
    void onDecide(decision).finally(() => setIsSending(false));
  };
  const deny = () => decide({ behavior: 'deny', ...(message.trim() !== '' && { message: message.trim() }) });
  const isQuestion = detail.kind === 'questions';
  return (
    <section class="approval" aria-label={isQuestion ? 'Question from the agent' : `Approval request: ${toolName}`}>
      <h2>
        {isQuestion ? (
          'The agent has a question'
        ) : (
          <>
            Allow the agent to use <code>{escapeHidden(toolName)}</code>?
          </>
        )}
      </h2>
      {reason !== undefined && !isQuestion && <p class="muted">{escapeHidden(reason)}</p>}
      {blockedPath !== undefined && <p class="warning">Requires approval: {escapeHidden(blockedPath)}</p>}
      {path !== undefined && (
        <p class="approval-path">
          {detail.kind === 'write' && before === '' ? 'New file' : 'File'}: <code>{escapeHidden(path)}</code>
        </p>
      )}
      {isQuestion ? (
        <QuestionForm
          id="questions"
          questions={detail.questions}
          isDisabled={isDisabled}
          onAnswer={(answers) => decide({ behavior: 'allow', updatedInput: { ...Object(input), answers } })}
        />
      ) : (
        <div class="approval-detail" role="group" aria-label="Details of the call" tabIndex={0}>
          <ApprovedDetail detail={detail} before={before} />
          {rest !== '' && <CodeBlock text={rest} language="more input" />}
        </div>
      )}
      <div class="approval-buttons">
        <AllowButtons suggestions={suggestions} isQuestion={isQuestion} isDisabled={isDisabled} onDecide={decide} />
        <button type="button" class="deny" disabled={isDisabled} onClick={deny}>
          {isQuestion ? 'Decline to answer' : 'Deny'}
        </button>
        <label class="why">
          <span>Reason for denying (optional, sent to the agent)</span>
          <input value={message} onInput={({ currentTarget }) => setMessage(currentTarget.value)} maxLength={2000} />
        </label>
      </div>
      {!canDecide && <p class="warning">Your token cannot answer this.</p>}
      <p class="muted">Denied automatically at {new Date(expiresAt).toLocaleTimeString()}.</p>
    </section>
  );
}

interface AllowButtonsProps {
  readonly suggestions: Approval['suggestions'];
  readonly isQuestion: boolean;
  readonly isDisabled: boolean;
  readonly onDecide: (decision: Decision) => void;
}

function AllowButtons({ suggestions, isQuestion, isDisabled, onDecide }: AllowButtonsProps) {
  // Such as a host, which is allowed for the session.
  const lasting = suggestions.find(
    ({ type, rules, destination }) => type === 'allow' && destination !== undefined && rules === undefined,
  );
  return (
    <>
      {isQuestion ? (
        <button type="submit" form="questions" class="allow" disabled={isDisabled}>
          Answer
        </button>
      ) : (
        <button type="button" class="allow" disabled={isDisabled} onClick={() => onDecide({ behavior: 'allow' })}>
          {escapeHidden(lasting?.label ?? 'Allow once')}
        </button>
      )}
      {suggestions.map(
        ({ type, rules = [], label }, index) =>
          type === 'allow' &&
          rules.length > 0 && (
            <button
              type="button"
              class="always"
              disabled={isDisabled}
              onClick={() => onDecide({ behavior: 'allow', suggestion: index })}
            >
              {label}: {escapeHidden(rules.join(', '))}
            </button>
          ),
      )}
    </>
  );
}

/** Rendered Markdown would hide parts of a text, such as link definitions. */
function ApprovedDetail({ detail, before }: CallDetailViewProps) {
  if (detail.kind === 'task') return <CodeBlock text={detail.prompt} language="prompt" />;
  if (detail.kind === 'plan') return <CodeBlock text={detail.plan} language="plan" />;
  return <CallDetailView detail={detail} before={before} isWhole />;
}

/** Reads the current content of a file to be changed, so that the request shows all changes. */
function useFileBefore(path: string | undefined, readFile: ApprovalCardProps['readFile']): string | undefined {
  const [before, setBefore] = useState<string>();
  useEffect(() => {
    if (path === undefined) return undefined;
    let isWanted = true;
    void readFile(path).then((text) => isWanted && setBefore(text));
    return () => {
      isWanted = false;
    };
  }, [path]);
  return before;
}

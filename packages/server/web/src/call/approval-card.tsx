import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Approval } from '../conversation/conversation.js';
import { CallDetailView } from './call-detail.js';
import { type CallDetail, describeCall } from './describe-call.js';
import { QuestionForm } from './question-form.js';

/** What a person decided. */
export interface Decision {
  readonly behavior: 'allow' | 'deny';
  /** Why not, for the model. */
  readonly message?: string;
  readonly updatedInput?: Record<string, unknown>;
  /** Index of a suggestion of the question: its rules hold from now on. */
  readonly suggestion?: number;
}

export interface ApprovalCardProps {
  readonly approval: Approval;
  /** The content of a file as it is now, empty when it is not there; undefined when it cannot be compared. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** Resolves when the server has taken it. */
  readonly onDecide: (decision: Decision) => Promise<void>;
}

/** A tool waits: what exactly it would do, and the buttons. Nothing is chosen beforehand and no key decides by accident. */
export function ApprovalCard({ approval, readFile, onDecide }: ApprovalCardProps) {
  const { toolName, input, reason, blockedPath, suggestions, expiresAt } = approval;
  const { detail } = useMemo(() => describeCall(toolName, input), [toolName, input]);
  const before = useFileBefore(detail, readFile);
  const [message, setMessage] = useState('');
  const [isSending, setIsSending] = useState(false);
  const decide = (decision: Decision) => {
    setIsSending(true);
    void onDecide(decision).finally(() => setIsSending(false));
  };
  const deny = () => decide({ behavior: 'deny', ...(message.trim() !== '' && { message: message.trim() }) });
  const isQuestion = detail.kind === 'questions';
  return (
    <section class="approval" aria-label={isQuestion ? 'Question of the agent' : `Question: may ${toolName} run?`}>
      <h2>
        {isQuestion ? (
          'The agent asks you'
        ) : (
          <>
            May the agent use <code>{toolName}</code>?
          </>
        )}
      </h2>
      {reason !== undefined && !isQuestion && <p class="muted">{reason}</p>}
      {blockedPath !== undefined && <p class="warning">Outside the workspace: {blockedPath}</p>}
      {isQuestion ? (
        <QuestionForm
          id="questions"
          questions={detail.questions}
          isDisabled={isSending}
          onAnswer={(answers) => decide({ behavior: 'allow', updatedInput: { ...Object(input), answers } })}
        />
      ) : (
        <div class="approval-detail">
          <CallDetailView detail={detail} before={before} />
        </div>
      )}
      <div class="approval-buttons">
        {isQuestion ? (
          <button type="submit" form="questions" class="allow" disabled={isSending}>
            Answer
          </button>
        ) : (
          <button type="button" class="allow" disabled={isSending} onClick={() => decide({ behavior: 'allow' })}>
            Allow once
          </button>
        )}
        {suggestions.map(
          ({ type, rules = [], label }, index) =>
            type === 'allow' &&
            rules.length > 0 && (
              <button
                type="button"
                class="allow"
                disabled={isSending}
                onClick={() => decide({ behavior: 'allow', suggestion: index })}
              >
                {label}: {rules.join(', ')}
              </button>
            ),
        )}
        <button type="button" class="deny" disabled={isSending} onClick={deny}>
          {isQuestion ? 'Do not answer' : 'Deny'}
        </button>
        <label class="why">
          <span>If not, why? (optional, the agent reads it)</span>
          <input value={message} onInput={({ currentTarget }) => setMessage(currentTarget.value)} maxLength={2000} />
        </label>
      </div>
      <p class="muted">Without an answer it is denied at {new Date(expiresAt).toLocaleTimeString()}.</p>
    </section>
  );
}

/** What a file that is to be written holds now, so that the question shows the change and not only the outcome. */
function useFileBefore(detail: CallDetail, readFile: ApprovalCardProps['readFile']): string | undefined {
  const [before, setBefore] = useState<string>();
  const path = detail.kind === 'write' ? detail.path : undefined;
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

import { AgentError, type ConversationRecord, type SessionRecord } from '@qwen/protocol';
import { ModelHistory } from '../conversation/model-history.js';
import { type RecordStamp, toRecords } from '../conversation/to-records.js';
import type { FileRewind } from '../file-history-port.js';
import type { CompactionSizes } from '../loop/compaction/compact.js';
import type { SessionTaskWork } from './session-task.js';

export const clearHistory: SessionTaskWork<void> = async function* clear({ state, opening }) {
  await state.record({ type: 'cleared', at: state.options.clock.isoTime() });
  opening.restart();
  yield { type: 'history_changed', reason: 'cleared', messages: 0 };
};

/** `rewoundTo`: the user message that these records precede. */
export function restoreHistory(records: readonly SessionRecord[], rewoundTo?: string): SessionTaskWork<void> {
  return async function* restore({ state }) {
    const wanted = new ModelHistory();
    for (const record of records) wanted.add(record);
    wanted.closeOpenCalls();
    const stamp = { at: state.options.clock.isoTime(), model: state.settings.model };
    // New records: content that models do not read is dropped, and no id repeats.
    const restored = { type: 'restored', at: stamp.at, records: recordsOf(wanted, stamp) } as const;
    await state.record(rewoundTo === undefined ? restored : { ...restored, rewound_to: rewoundTo });
    yield { type: 'history_changed', reason: 'restored', messages: wanted.messages.length };
  };
}

/** Undefined without a file history. */
export function rewindFiles(messageId: string, isPreview: boolean): SessionTaskWork<FileRewind | undefined> {
  // oxlint-disable-next-line require-yield -- it emits no events: the result lists the files.
  return async function* rewind({ state }) {
    const { fileHistory } = state.options;
    return isPreview ? fileHistory?.preview(messageId) : fileHistory?.restore(messageId);
  };
}

export function recordsOf(history: ModelHistory, stamp: RecordStamp): ConversationRecord[] {
  const notes = history.pendingNotes.map(
    (text) => ({ type: 'note', uuid: crypto.randomUUID(), at: stamp.at, text }) as const,
  );
  return [...toRecords(history.snapshot(), stamp), ...notes];
}

export function addNote(text: string): SessionTaskWork<void> {
  // oxlint-disable-next-line require-yield -- it emits no events: the note is in the conversation.
  return async function* add({ state }) {
    await state.record({ type: 'note', uuid: crypto.randomUUID(), at: state.options.clock.isoTime(), text });
  };
}

export const compactHistory: SessionTaskWork<CompactionSizes | undefined> = async function* compact({
  budget,
  createContext,
}) {
  const context = await createContext();
  const limit = budget.reached();
  if (limit !== undefined) throw new AgentError('budget_exceeded', `The budget is used up (${limit}).`);
  const { applyCompaction, prepareCompaction } = await import('../loop/compaction/compact.js');
  const compaction = yield* prepareCompaction(context, 'manual');
  return compaction && (yield* applyCompaction(compaction, context));
};

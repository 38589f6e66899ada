import { AgentError, type ConversationRecord, type SessionRecord } from '@qwen/protocol';
import { ModelHistory } from '../conversation/model-history.js';
import { type RecordStamp, toRecords } from '../conversation/to-records.js';
import { type CompactionSizes, replaceOlder, sumUp } from '../loop/compaction/sum-up.js';
import type { ErrandWork } from './session-task.js';

/** Empties the conversation. */
export const clearHistory: ErrandWork<void> = async function* clear({ state, opening }) {
  await state.record({ type: 'cleared', at: state.options.clock.isoTime() });
  opening.beginAnew();
  yield { type: 'history_changed', reason: 'cleared', messages: 0 };
};

/** Replaces the conversation by that of these records. */
export function restoreHistory(records: readonly SessionRecord[]): ErrandWork<void> {
  return async function* restore({ state }) {
    const wanted = new ModelHistory();
    for (const record of records) wanted.add(record);
    wanted.closeOpenCalls();
    const stamp = { at: state.options.clock.isoTime(), model: state.settings.model };
    // Made anew: what does not reach the model is no part of it, and no id is used twice.
    await state.record({ type: 'restored', at: stamp.at, records: recordsOf(wanted, stamp) });
    yield { type: 'history_changed', reason: 'restored', messages: wanted.messages.length };
  };
}

/** Records that tell a conversation, with the notes that wait in it. */
export function recordsOf(history: ModelHistory, stamp: RecordStamp): ConversationRecord[] {
  const notes = history.pendingNotes.map(
    (text) => ({ type: 'note', uuid: crypto.randomUUID(), at: stamp.at, text }) as const,
  );
  return [...toRecords(history.snapshot(), stamp), ...notes];
}

/** Adds a note that the model reads with the next prompt. */
export function addNote(text: string): ErrandWork<void> {
  // oxlint-disable-next-line require-yield -- nothing of it is told: it stands in the conversation.
  return async function* add({ state }) {
    await state.record({ type: 'note', uuid: crypto.randomUUID(), at: state.options.clock.isoTime(), text });
  };
}

/** Sums the older part up because somebody wants it. */
export const compactHistory: ErrandWork<CompactionSizes | undefined> = async function* compact({
  budget,
  createContext,
}) {
  const context = await createContext();
  const limit = budget.reached();
  if (limit !== undefined) throw new AgentError('budget_exceeded', `The budget is used up (${limit}).`);
  const summedUp = yield* sumUp(context, 'manual');
  return summedUp && (yield* replaceOlder(summedUp, context));
};

import type { RecordSink } from '@qwen/agent/node';
import type { PastPrompt } from '@qwen/commands';
import { AgentError, contentText, FILES_HEADING, type SessionRecord } from '@qwen/protocol';

/** The prompts to which a conversation can go back: not those before it was cleared or replaced, or after a rewind. */
export class PastPrompts implements RecordSink {
  #prompts: PastPrompt[] = [];

  get prompts(): readonly PastPrompt[] {
    return this.#prompts;
  }

  add(record: SessionRecord): void {
    if (record.type === 'cleared') this.#prompts = [];
    if (record.type === 'restored') {
      const index = this.#prompts.findIndex(({ messageId }) => messageId === record.rewound_to);
      this.#prompts = this.#prompts.slice(0, Math.max(0, index));
    }
    if (record.type !== 'user' || record.parent_tool_use_id !== undefined || record.is_synthetic === true) return;
    const { uuid: messageId, content, at } = record;
    this.#prompts.push({ messageId, text: textOf(content), sentAtMs: Date.parse(at) });
  }
}

export class ConversationBefore implements RecordSink {
  readonly #messageId: string;
  readonly #records: SessionRecord[] = [];
  readonly #prompts = new PastPrompts();
  #isFound = false;

  constructor(messageId: string) {
    this.#messageId = messageId;
  }

  add(record: SessionRecord): void {
    this.#prompts.add(record);
    if (record.type === 'user' && record.uuid === this.#messageId) this.#isFound = true;
    if (!this.#isFound) this.#records.push(record);
  }

  /** Throws `message_not_found` if it is not part of the conversation. */
  get found(): { readonly prompt: PastPrompt; readonly records: readonly SessionRecord[] } {
    const prompt = this.#prompts.prompts.find(({ messageId }) => messageId === this.#messageId);
    if (prompt === undefined) {
      throw new AgentError('message_not_found', `The conversation has no prompt ${this.#messageId}.`, {
        data: { messageId: this.#messageId },
      });
    }
    return { prompt, records: this.#records };
  }
}

function textOf(content: Extract<SessionRecord, { readonly type: 'user' }>['content']): string {
  if (typeof content === 'string') return content;
  const files = content.findIndex((block) => block.type === 'text' && block.text === FILES_HEADING);
  return contentText(files > 0 ? content.slice(0, files) : content);
}

import type { HintAnswer } from '@qwen/commands';
import { AgentError, type KeySettings, type PromptRecord } from '@qwen/protocol';
import type { ComposerPorts } from '../src/composer/composer-ports.js';
import { type ComposerSession, ComposerStore } from '../src/composer/composer-store.js';
import { KeyMap } from '../src/composer/key-map.js';
import type { PromptHistory } from '../src/composer/prompt-history.js';
import { textOf } from '../src/composer/text-buffer.js';
import type { ComposedInput } from '../src/session/terminal-session.js';
import { TerminalStore } from '../src/state/terminal-store.js';

/** A picture of no size. */
export const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } } as const;

/** What was typed, for as long as a test. */
export class MemoryHistory implements PromptHistory {
  readonly records: PromptRecord[];

  constructor(texts: readonly string[]) {
    this.records = texts.map((text) => ({ at: '2026-01-01T00:00:00.000Z', text }));
  }

  async list(): Promise<readonly PromptRecord[]> {
    return this.records;
  }

  async add(prompt: Omit<PromptRecord, 'at'>): Promise<void> {
    this.records.push({ at: '2026-01-01T00:00:00.000Z', ...prompt });
  }
}

export interface ComposerFixtureOptions extends Partial<ComposerPorts> {
  readonly prompts?: readonly string[];
  readonly queued?: string;
  readonly keys?: KeySettings;
}

/** A composer without a screen: keys go in, and what it sends, asks and says is kept. */
export function createComposer({ prompts = [], queued, keys, ...ports }: ComposerFixtureOptions = {}) {
  const sent: ComposedInput[] = [];
  const calls: string[] = [];
  const asked: string[] = [];
  let hear: (answer: HintAnswer) => void = () => undefined;
  let takeBack: (inputs: readonly ComposedInput[]) => void = () => undefined;
  const store = new TerminalStore({
    model: 'm',
    permissionMode: 'default',
    calls: [],
    draft: '',
    todos: [],
    queued: [],
  });
  const session: ComposerSession = {
    store,
    submit: (input, when) => void sent.push(when === 'later' ? { ...input, text: `${when}: ${input.text}` } : input),
    returnQueued: () => {
      if (queued !== undefined) takeBack([{ text: queued, images: [] }]);
      return queued !== undefined;
    },
    onReturned: (listener) => {
      takeBack = listener;
      return () => undefined;
    },
    requestHints: ({ trigger, text }) => void asked.push(`${trigger} ${text}`),
    onHints: (listener) => {
      hear = listener;
      return () => undefined;
    },
  };
  const parts: ComposerPorts = {
    history: new MemoryHistory(prompts),
    readDropped: async () => undefined,
    readClipboardImage: () => Promise.reject(new AgentError('tool_failed', 'There is no picture.')),
    editText: async (text) => text,
    ...ports,
  };
  const composer = new ComposerStore(session, parts, new KeyMap(keys));
  const keyContext = {
    columns: 40,
    handlers: {
      onEscape: () => void calls.push('escape'),
      onRewind: () => void calls.push('rewind'),
      onInterrupt: () => void calls.push('interrupt'),
      onLeave: () => void calls.push('leave'),
      onBackground: () => calls.push('background') > 0,
      onShortcuts: () => void calls.push('shortcuts'),
    },
    withTerminal: (work: () => Promise<void>) => work(),
  };
  return {
    composer,
    sent,
    calls,
    asked,
    store,
    /** Gives prompts back that were sent and not said. */
    giveBack: (...inputs: readonly ComposedInput[]) => takeBack(inputs),
    type: (text: string) => composer.press({ kind: 'text', text }, keyContext),
    press: (...names: string[]) => {
      for (const name of names) composer.press({ kind: 'key', name }, keyContext);
    },
    /** Everything that was to be read is read. */
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
    /** The text with atoms as their labels, and the cursor. */
    get text() {
      const { buffer, atoms } = composer.getState();
      return textOf(buffer).replaceAll(/\udbff[\udc00-\udfff]/g, (atom) => atoms.get(atom)?.label ?? '?');
    },
    answer: (values: readonly string[], isPerfectMatch = false) => {
      const [trigger = '', ...text] = asked.at(-1)?.split(' ') ?? [];
      hear({
        query: {
          promptId: undefined,
          trigger: trigger === 'at' ? 'at' : 'slash',
          text: text.join(' '),
          cursor: 0,
          cwd: '/w',
        },
        status: 'ok',
        suggestions: values.map((value) => ({ label: value, value })),
        isPerfectMatch,
      });
    },
  };
}

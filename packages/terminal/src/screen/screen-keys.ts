import type { KeyAction, PermissionMode } from '@qwen/protocol';
import type { KeyMap } from '../composer/key-map.js';
import type { TerminalSession } from '../session/terminal-session.js';
import type { TransientHint } from '../session/transient-hint.js';
import type { Transcript } from '../transcript/transcript.js';
import { shortcutLines } from './shortcut-lines.js';

const LEAVE_HINT = 'Press Ctrl-C again to quit';
/** Milliseconds between two Ctrl-C presses that quit. */
const LEAVE_WITHIN_MS = 1_000;

const MOVED_HINT_MS = 4_000;

export interface ScreenKeysOptions {
  readonly session: TerminalSession;
  readonly transcript: Transcript;
  readonly hint: TransientHint;
  readonly map: KeyMap;
  readonly columns: () => number;
}

export class ScreenKeys {
  readonly #options: ScreenKeysOptions;

  constructor(options: ScreenKeysOptions) {
    this.#options = options;
  }

  readonly stopTurn = (): void => {
    this.#options.session.cancelTurn();
  };

  /** Without a command that runs, Ctrl-B moves the cursor. */
  readonly moveToBackground = (): boolean => {
    const { session, hint } = this.#options;
    const moved = session.host.background?.moveToBackground() ?? 0;
    if (moved > 0) hint.show('Moved to the background. /tasks shows its output and stops it.', MOVED_HINT_MS);
    return moved > 0;
  };

  readonly rewind = (): void => {
    this.#options.session.store.update((state) => ({ ...state, dialog: { name: 'rewind' } }));
  };

  /** Cancels or closes what is open; the second press quits. */
  readonly interrupt = (): void => {
    const { session, hint } = this.#options;
    if (hint.shows(LEAVE_HINT)) {
      session.quit(0);
      return;
    }
    session.cancelTurn();
    session.store.update(({ dialog: _closed, ...state }) => state);
    hint.show(LEAVE_HINT, LEAVE_WITHIN_MS);
  };

  readonly leave = (): void => {
    this.#options.session.quit(0);
  };

  readonly showShortcuts = (): void => {
    this.#options.session.print(shortcutLines(this.#options.map, this.#options.columns()));
  };

  get changeModeKey(): string | undefined {
    return this.#options.map.labelsOf('changeMode')[0];
  }

  actionsOf(keys: string): readonly KeyAction[] {
    return this.#options.map.actionsOf(keys);
  }

  readonly changeMode = (): void => {
    const { session } = this.#options;
    const { permissionMode } = session.store.getState();
    session.setPermissionMode(nextMode(permissionMode, session.configuration.permissionMode));
  };

  /** Prints the last folded output in full. */
  readonly unfold = (): void => {
    const { session, transcript } = this.#options;
    session.print(transcript.unfold());
  };
}

/** Reaches the mode without prompts only if the session started in it, so that it cannot be chosen by mistake. */
export function nextMode(mode: PermissionMode, startMode: PermissionMode): PermissionMode {
  const modes: readonly PermissionMode[] = [
    'default',
    'auto-edit',
    'plan',
    ...(startMode === 'yolo' ? ['yolo' as const] : []),
  ];
  return modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'default';
}

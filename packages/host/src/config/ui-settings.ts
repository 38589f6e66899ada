import type { KeySettings } from '@qwen/protocol';
import type { Environment } from './env.js';
import type { EffectiveSettings } from './settings.js';

export interface UiChoice {
  /** A built-in theme or a theme file. Default `auto`: follows the terminal's background. */
  readonly theme: string;
  /** Linear output for screen readers. Default false. */
  readonly screenReader: boolean;
  /** Whether the window title shows the state. Default true. */
  readonly windowTitle: boolean;
  /** Bell and notification when long work ends or asks. Default true. */
  readonly notifications: boolean;
  /** Links in the terminal (OSC 8). Default: where the terminal is known to show them. */
  readonly hyperlinks?: boolean;
  /** Default false. */
  readonly vimMode: boolean;
  readonly keys: KeySettings;
  /** The command that opens a file in an editor. Default: none. */
  readonly editor?: string;
}

/** From the user's file, `--settings` and the environment, never from projects: an editor is a command. Pure. */
export function loadUiSettings({ ui }: EffectiveSettings, { VISUAL, EDITOR }: Environment): UiChoice {
  const editor = ui.editor ?? VISUAL ?? EDITOR;
  return {
    theme: ui.theme ?? 'auto',
    screenReader: ui.screenReader ?? false,
    windowTitle: ui.windowTitle ?? true,
    notifications: ui.notifications ?? true,
    ...(ui.hyperlinks !== undefined && { hyperlinks: ui.hyperlinks }),
    vimMode: ui.vimMode ?? false,
    keys: ui.keys ?? {},
    ...(editor !== undefined && { editor }),
  };
}

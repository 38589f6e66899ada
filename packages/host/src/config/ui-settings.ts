import { THEMES } from '@qwen/protocol';
import type { Environment } from './env.js';
import type { EffectiveSettings } from './settings.js';

/** How the terminal looks and behaves. */
export interface UiChoice {
  /** Default `auto`: light or dark, as the terminal is. Whether there are colours at all is told by `lookOf`. */
  readonly theme: (typeof THEMES)[number];
  /** Linear output for screen readers. Default false. */
  readonly screenReader: boolean;
  /** The command that opens a text for editing, without the name of the file; missing: nobody named one. */
  readonly editor?: string;
}

/**
 * What the settings and the environment say about the terminal. Only the user's file and `--settings` count: an editor
 * is a command, and no project names one. `ui.editor` is stronger than `VISUAL`, that than `EDITOR`. Pure.
 */
export function loadUiSettings({ ui }: EffectiveSettings, { VISUAL, EDITOR }: Environment): UiChoice {
  const editor = ui.editor ?? VISUAL ?? EDITOR;
  return {
    theme: THEMES.find((theme) => theme === ui.theme) ?? 'auto',
    screenReader: ui.screenReader ?? false,
    ...(editor !== undefined && { editor }),
  };
}

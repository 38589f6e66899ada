import { readEnvironment } from '@qwen/host/config/env.js';
import { loadUiSettings } from '@qwen/host/config/ui-settings.js';
import type { TerminalSession } from '../session/terminal-session.js';
import type { ComposerPorts } from './composer-ports.js';
import { ComposerStore } from './composer-store.js';
import type { KeyMap } from './key-map.js';
import { PromptHistoryFiles } from './prompt-history.js';

/** The creator closes it. */
export function createComposer(session: TerminalSession, keys: KeyMap): ComposerStore {
  const { configuration } = session;
  const { cwd, homeDirectory, settings } = configuration;
  const { platform } = process;
  const ports: ComposerPorts = {
    history: new PromptHistoryFiles(configuration),
    // Loaded on first use, to keep the start fast.
    readDropped: async (text) => {
      const { readDroppedFiles } = await import('./dropped-files.js');
      return readDroppedFiles(text, { platform, homeDirectory, cwd });
    },
    readClipboardImage: async (signal) => {
      const { readClipboardImage } = await import('./clipboard-image.js');
      return readClipboardImage({ platform, signal });
    },
    editText: async (text) => {
      const { defaultEditor, editExternally } = await import('./external-editor.js');
      const { editor = defaultEditor(platform) } = loadUiSettings(settings, readEnvironment(process.env));
      return editExternally(text, editor);
    },
  };
  return new ComposerStore(session, ports, keys);
}

import type { OpenDialog } from '../state/terminal-state.js';

/** Commands whose list opens a dialog; with arguments they run as commands. */
const OWN_DIALOGS: ReadonlyMap<string, OpenDialog['name']> = new Map([
  ['/resume', 'sessions'],
  ['/sessions', 'sessions'],
  ['/mcp', 'mcp'],
]);

/** Undefined when the text opens no terminal dialog. */
export function ownDialog(text: string): OpenDialog['name'] | undefined {
  return OWN_DIALOGS.get(text.trim().toLowerCase());
}

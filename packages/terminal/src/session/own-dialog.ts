import type { OpenDialog } from '../state/terminal-state.js';

/** Commands whose list is something to choose from where there is a screen; with more behind them they are commands. */
const OWN_DIALOGS: ReadonlyMap<string, OpenDialog['name']> = new Map([
  ['/resume', 'sessions'],
  ['/sessions', 'sessions'],
  ['/mcp', 'mcp'],
]);

/** The dialog that the screen opens itself for what was typed; undefined for all else. */
export function ownDialog(text: string): OpenDialog['name'] | undefined {
  return OWN_DIALOGS.get(text.trim().toLowerCase());
}

import { Dialog } from './dialog.js';

const KEYS = [
  ['Enter', 'Send. While a turn runs, it reads the message before its next model call'],
  ['Alt+Enter', 'Queue the message until the turn has ended'],
  ['Shift+Enter', 'Insert a new line'],
  ['↑ ↓', 'Recall earlier messages, or choose a suggestion'],
  ['Tab', 'Accept a suggestion'],
  ['Escape', 'Close suggestions, otherwise stop the turn'],
  ['/', 'Commands'],
  ['@', 'Files'],
  ['Ctrl+K', 'Search sessions'],
  ['Ctrl+J', 'New session'],
  ['?', 'Show this help, outside of text fields'],
] as const;

export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <table class="keys">
        <tbody>
          {KEYS.map(([key, meaning]) => (
            <tr>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

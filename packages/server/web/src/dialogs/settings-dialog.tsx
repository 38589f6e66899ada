import { useStore } from '../session/use-store.js';
import type { PageSettings, Theme } from '../settings/page-settings.js';
import { Dialog } from './dialog.js';

export interface SettingsDialogProps {
  readonly settings: PageSettings;
  readonly onClose: () => void;
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Stored in this browser. */
export function SettingsDialog({ settings, onClose }: SettingsDialogProps) {
  const { theme, hasNotifications } = useStore(settings);
  return (
    <Dialog title="Settings" onClose={onClose}>
      <label>
        <span>Theme</span>
        <select
          value={theme}
          onChange={({ currentTarget }) => {
            const found = THEMES.find(([name]) => name === currentTarget.value);
            if (found !== undefined) settings.setTheme(found[0]);
          }}
        >
          {THEMES.map(([name, label]) => (
            <option value={name}>{label}</option>
          ))}
        </select>
      </label>
      <label class="option">
        <input
          type="checkbox"
          checked={hasNotifications}
          onChange={({ currentTarget }) => void settings.setNotifications(currentTarget.checked)}
        />
        <span>Notify me when a session waits for an answer or has finished, while this tab is hidden</span>
      </label>
      <p class="muted">These settings are stored in this browser.</p>
    </Dialog>
  );
}

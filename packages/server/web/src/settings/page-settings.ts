import { Store } from '../session/store.js';

export type Theme = 'system' | 'light' | 'dark';

export interface PageSettingsState {
  readonly theme: Theme;
  /** Only with the permission of the browser. */
  readonly hasNotifications: boolean;
}

const THEME = 'qwen.theme';
const NOTIFICATIONS = 'qwen.notifications';

/** Of this browser. Applies the theme to the document. */
export class PageSettings extends Store<PageSettingsState> {
  readonly #storage: Storage | undefined;

  /** Without storage, a reload forgets the settings. */
  constructor(storage: Storage | undefined) {
    const theme = storage?.getItem(THEME);
    super({
      theme: theme === 'light' || theme === 'dark' ? theme : 'system',
      hasNotifications: storage?.getItem(NOTIFICATIONS) === 'on' && isGranted(),
    });
    this.#storage = storage;
    this.#applyTheme();
  }

  setTheme(theme: Theme): void {
    this.update({ theme });
    this.#storage?.setItem(THEME, theme);
    this.#applyTheme();
  }

  /** Stays off if the user or the browser refuses. Never rejects. */
  async setNotifications(isOn: boolean): Promise<void> {
    if (isOn && 'Notification' in globalThis) await Notification.requestPermission().catch(() => undefined);
    const hasNotifications = isOn && isGranted();
    this.update({ hasNotifications });
    this.#storage?.setItem(NOTIFICATIONS, hasNotifications ? 'on' : 'off');
  }

  #applyTheme(): void {
    document.documentElement.dataset['theme'] = this.state.theme;
  }
}

/** Some browsers have no notifications, and none without HTTPS, except on loopback. */
function isGranted(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted';
}

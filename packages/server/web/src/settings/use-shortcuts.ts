import { useEffect } from 'preact/hooks';

export interface Shortcuts {
  readonly onHelp: (() => void) | undefined;
  readonly onSearch: (() => void) | undefined;
  readonly onNew: (() => void) | undefined;
}

/** Keys of the whole page. The browser keeps those without a function. */
export function useShortcuts({ onHelp, onSearch, onNew }: Shortcuts): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      const hasModifier = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      let action: (() => void) | undefined;
      if (hasModifier && key === 'k') action = onSearch;
      else if (hasModifier && key === 'j') action = onNew;
      else if (key === '?' && !isTextField(target)) action = onHelp;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}

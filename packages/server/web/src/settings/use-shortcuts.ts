import { useEffect } from 'preact/hooks';

export interface Shortcuts {
  readonly onHelp: () => void;
  readonly onSearch: () => void;
  readonly onNew: () => void;
}

/** Keys of the whole page. */
export function useShortcuts({ onHelp, onSearch, onNew }: Shortcuts): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      const hasModifier = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (hasModifier && key === 'k') onSearch();
      else if (hasModifier && key === 'j') onNew();
      else if (key === '?' && !isTextField(target)) onHelp();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}

import { useRef } from 'preact/hooks';
import type { PageStore } from '../session/page-store.js';

export interface ExportMenuProps {
  readonly page: PageStore;
  readonly title: string;
}

const FORMATS = [
  ['md', 'Markdown'],
  ['json', 'JSON, with all events'],
] as const;

/** Downloads the conversation. */
export function ExportMenu({ page, title }: ExportMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={({ key }) => key === 'Escape' && menu.current !== null && (menu.current.open = false)}
    >
      <summary>Export</summary>
      <div class="menu-items">
        {FORMATS.map(([format, label]) => (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              if (menu.current !== null) menu.current.open = false;
              void page.export(format, title);
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </details>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import type { Suggestion } from './use-hints.js';

export interface HintListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly chosen: number | undefined;
  readonly onTake: (suggestion: Suggestion) => void;
}

/** The input box keeps the focus and handles the keys. */
export function HintList({ id, suggestions, chosen, onTake }: HintListProps) {
  const current = useRef<HTMLDivElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <div class="hints" id={id} role="listbox" aria-label="Suggestions">
      {suggestions.map((suggestion, index) => (
        <div
          role="option"
          id={`${id}-${index}`}
          key={`${suggestion.value} ${index}`}
          ref={index === chosen ? current : null}
          aria-selected={index === chosen}
          // A click must not move the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(suggestion);
          }}
        >
          <span>{suggestion.label}</span>
          {suggestion.description !== undefined && <span class="muted">{suggestion.description}</span>}
        </div>
      ))}
    </div>
  );
}

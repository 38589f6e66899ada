import { useEffect, useRef } from 'preact/hooks';
import type { Suggestion } from './use-hints.js';

export interface HintListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  /** Undefined while none is chosen. */
  readonly chosen: number | undefined;
  readonly onTake: (suggestion: Suggestion) => void;
}

/** What could be meant. The box keeps the focus; keys are its own. */
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
          // The box must not lose the focus to a click.
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

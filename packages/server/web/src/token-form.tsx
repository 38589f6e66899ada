import { useState } from 'preact/hooks';

export interface TokenFormProps {
  readonly problem: string | undefined;
  readonly onEnter: (token: string) => void;
}

/** Asks for the token of the server: once a tab, and it is in no address. */
export function TokenForm({ problem, onEnter }: TokenFormProps) {
  const [token, setToken] = useState('');
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== '') onEnter(token.trim());
      }}
    >
      <h2>This server wants its token</h2>
      <p class="muted">It is kept in this tab only.</p>
      <label>
        <span>Token</span>
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          ref={(input) => input?.focus()}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="send">
        Continue
      </button>
    </form>
  );
}

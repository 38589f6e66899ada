import { useState } from 'preact/hooks';

export interface TokenFormProps {
  readonly problem: string | undefined;
  readonly onEnter: (token: string) => void;
}

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
      <h2>This server requires a token</h2>
      <p class="muted">The token is stored only in this tab.</p>
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

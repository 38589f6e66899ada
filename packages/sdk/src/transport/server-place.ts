/** Where a server is, and what it wants to see. */
export interface ServerPlace {
  /** Such as `https://agents.example` or `http://127.0.0.1:3000`; a path in front of the routes may follow. */
  readonly url: string;
  /**
   * The token of the server. Default: the environment variable `QWEN_SERVER_TOKEN`; for a server of this machine also the
   * one that `qwen serve` keeps for its user.
   */
  readonly token?: string | undefined;
}

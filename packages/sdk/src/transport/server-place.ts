/** Where a server is, and what it wants to see. */
export interface ServerPlace {
  /** Such as `https://agents.example` or `http://127.0.0.1:3000`; a path in front of the routes may follow. */
  readonly url: string;
  /** The token of the server. Default: the environment variable `QWEN_SERVER_TOKEN`. */
  readonly token?: string | undefined;
}

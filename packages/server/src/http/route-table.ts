import type { TokenScope } from '@qwen/protocol/server';
import { TrieRouter } from 'hono/router/trie-router';

export interface Route {
  /** `ALL` for each. */
  readonly method: string;
  /** A pattern of Hono, such as `/sessions/:id`. */
  readonly path: string;
  /** The scope that a token needs; `open` routes need no token. */
  readonly scope: TokenScope | 'open';
}

export class RouteTable {
  readonly #router = new TrieRouter<Route>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#router.add(route.method, route.path, route);
    // Other methods get 405, under the same conditions.
    for (const route of routes) this.#router.add('ALL', route.path, route);
  }

  find(method: string, path: string): Route | undefined {
    const [matches] = this.#router.match(method === 'HEAD' ? 'GET' : method, path);
    return matches[0]?.[0];
  }
}

import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { type AgentContext, type ClientCapabilities, RequestError } from '@agentclientprotocol/sdk';
import { AgentError, toOneLine } from '@qwen/protocol';
import type { EditorFiles } from '@qwen/tools';

export interface ClientFilesOptions {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly sessionId: string;
  readonly cwd: string;
  readonly report: (problem: string) => Promise<void>;
}

/** An editor answers from memory. */
const READ_LIMIT_MS = 3_000;
/** It may format the file before it saves it. */
const WRITE_LIMIT_MS = 15_000;

/** The files that the client has open. Without its answer, the file on the disk counts. */
export class ClientFiles implements EditorFiles {
  readonly #options: ClientFilesOptions;
  readonly #root: string;
  #isMute = false;

  constructor(options: ClientFilesOptions) {
    this.#options = options;
    this.#root = realpathSync(options.cwd);
  }

  async read(realPath: string): Promise<string | undefined> {
    if (this.#isMute) return undefined;
    const { client, sessionId, report } = this.#options;
    const limit = AbortSignal.timeout(READ_LIMIT_MS);
    try {
      const answer: { readonly content?: unknown } = await client.request(
        'fs/read_text_file',
        { sessionId, path: this.#shown(realPath) },
        { cancellationSignal: limit, stopWaitingOnCancel: true },
      );
      return typeof answer.content === 'string' ? answer.content : undefined;
    } catch {
      // An error is usual for a file that the editor does not know.
      if (limit.aborted && !this.#isMute) {
        this.#isMute = true;
        await report('The editor does not answer fs/read_text_file. Its unsaved changes are not read in this session.');
      }
      return undefined;
    }
  }

  async write(realPath: string, content: string): Promise<void> {
    const { client, capabilities, sessionId } = this.#options;
    const path = this.#shown(realPath);
    if (capabilities.fs?.writeTextFile !== true) {
      throw new AgentError('tool_failed', `${path} has unsaved changes in the editor. Ask the user to save it.`);
    }
    const limit = AbortSignal.timeout(WRITE_LIMIT_MS);
    try {
      await client.request(
        'fs/write_text_file',
        { sessionId, path, content },
        { cancellationSignal: limit, stopWaitingOnCancel: true },
      );
    } catch (thrown) {
      const reason = limit.aborted ? `no answer within ${WRITE_LIMIT_MS / 1000} s` : reasonOf(thrown);
      throw new AgentError('tool_failed', `The editor did not write ${path}: ${reason}`);
    }
  }

  /** The path as the client names it: its folder may be a link. */
  #shown(realPath: string): string {
    const inside = relative(this.#root, realPath);
    return inside.startsWith('..') || isAbsolute(inside) ? realPath : join(this.#options.cwd, inside);
  }
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof RequestError ? toOneLine(thrown.message) : AgentError.from(thrown).message;
}

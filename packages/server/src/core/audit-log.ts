import { open } from 'node:fs/promises';
import { AgentError } from '@qwen/protocol';

/** Who answered a permission question, and how. */
export interface AuditEntry {
  /** ISO 8601. */
  readonly at: string;
  /** The token's name, `admin`, or the reason that no one answered. */
  readonly actor: string;
  readonly behavior: 'allow' | 'deny';
  readonly session_id: string;
  readonly turn_id: string;
  readonly approval_id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The caller's input, which replaces that of the model. */
  readonly updated_input?: Readonly<Record<string, unknown>> | undefined;
  /** The rules of the suggestion apply from now on. */
  readonly has_suggestion: boolean;
}

/** Appends a line to the file, with mode 0600, and waits for the disk. Errors: `storage_unwritable`. */
export async function appendAudit(path: string, entry: AuditEntry): Promise<void> {
  try {
    const file = await open(path, 'a', 0o600);
    try {
      await file.appendFile(`${JSON.stringify(entry)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw AgentError.from(thrown, 'storage_unwritable');
  }
}

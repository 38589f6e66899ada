import { escapeHidden } from '@qwen/protocol';

/** A file name on one line. */
export function toVisibleName(name: string): string {
  return escapeHidden(name);
}

/** Whether a name held bytes that are not UTF-8: its shown form cannot be used to open the file. */
export function hasLostBytes(name: string): boolean {
  return name.includes('\ufffd');
}

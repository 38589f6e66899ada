import { editSettingsText, type SettingsEdit } from './edit-settings-text.js';

export interface ListChange {
  readonly path: SettingsEdit['path'];
  readonly before?: readonly string[] | undefined;
  readonly after: readonly string[];
}

/** Changes item by item, so that comments on other items stay. Throws `invalid_settings`. Pure. */
export function editList(source: string, text: string, { path, before, after }: ListChange): string {
  const kept = (before ?? []).filter((item) => after.includes(item));
  const added = after.slice(kept.length);
  const keepsOrder = kept.every((item, index) => item === after[index]);
  if (before === undefined || !keepsOrder) return editSettingsText(source, text, { path, value: after });
  const gone = before.flatMap((item, index) => (after.includes(item) ? [] : [index])).toReversed();
  const edits: readonly SettingsEdit[] = [
    ...gone.map((index) => ({ path: [...path, index], value: undefined })),
    ...added.map((value, index) => ({ path: [...path, kept.length + index], value })),
  ];
  return edits.reduce((edited, edit) => editSettingsText(source, edited, edit), text);
}

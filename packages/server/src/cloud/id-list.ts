/** One page of a list whose items have ids. */
export interface IdList<Item> {
  data: Item[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

/** The page that holds these items (GAP-84). */
export function idList<Item extends { readonly id: string }>(data: readonly Item[], hasMore: boolean): IdList<Item> {
  return { data: [...data], first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: hasMore };
}

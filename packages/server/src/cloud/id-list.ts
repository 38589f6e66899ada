/** One page of a list whose items have ids. */
export interface IdList<Item> {
  data: Item[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
}

/** A page as the cloud API shows it (GAP-84). */
export function idList<Item extends { readonly id: string }>({ data, hasMore }: ListPage<Item>): IdList<Item> {
  return { data: [...data], first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: hasMore };
}

/** What a process does beside others: `front` answers clients, `worker` plays turns, `all` does both. */
export const SERVER_ROLES = ['all', 'front', 'worker'] as const;

export type ServerRole = (typeof SERVER_ROLES)[number];

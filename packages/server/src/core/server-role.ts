/** What a process does beside others: `front` answers clients, `worker` plays turns, `all` does both. */
export type ServerRole = 'all' | 'front' | 'worker';

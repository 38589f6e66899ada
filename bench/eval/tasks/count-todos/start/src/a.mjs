// TODO: one
export const a = 1;
// TODO: two

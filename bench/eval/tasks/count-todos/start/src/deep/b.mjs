/* TODO: three */
export const b = 2;

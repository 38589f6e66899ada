export const c = 3; // TODO four

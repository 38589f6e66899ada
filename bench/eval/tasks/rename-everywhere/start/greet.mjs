import { getUsr } from './users.mjs';

export const greet = (id) => `Hello ${getUsr(id)}`;

import { findUser } from './users.mjs';

export const greet = (id) => `Hello ${findUser(id)}`;

const USERS = new Map([
  [1, 'Al'],
  [2, 'Bo'],
]);

export function findUser(id) {
  return USERS.get(id);
}

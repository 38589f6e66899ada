export function register(user) {
  return user;
}

export function register(user) {
  const { name, age } = user ?? {};
  if (typeof name !== 'string' || name.trim() === '') throw new TypeError('name: expected a text');
  if (!Number.isInteger(age) || age < 18 || age > 150) throw new TypeError('age: expected 18 to 150');
  return { name: name.trim(), age };
}

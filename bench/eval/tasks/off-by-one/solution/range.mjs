export function range(from, to) {
  const numbers = [];
  for (let number = from; number <= to; number += 1) numbers.push(number);
  return numbers;
}

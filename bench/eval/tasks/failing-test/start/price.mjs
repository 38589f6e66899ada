/** The sum of the prices, less the discount, a share from 0 to 1. */
export function total(prices, discount) {
  const sum = prices.reduce((left, right) => left + right, 0);
  return sum - discount;
}

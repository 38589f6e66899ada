function square(x) {
  return x * x;
}

export const surface = (radius) => 4 * Math.PI * square(radius);

function square(x) {
  return x * x;
}

export const area = (radius) => Math.PI * square(radius);

/** An upper bound that depends on the length n of a text, for n ≥ 1: `factor` times n to the power of `degree`. */
export interface Growth {
  readonly factor: number;
  readonly degree: number;
}

export const NONE: Growth = { factor: 0, degree: 0 };
export const ONCE: Growth = { factor: 1, degree: 0 };

export function sum(a: Growth, b: Growth): Growth {
  return { factor: a.factor + b.factor, degree: Math.max(a.degree, b.degree) };
}

export function product(a: Growth, b: Growth): Growth {
  // Without this, a factor of 0 times an infinite factor would not be a number.
  if (a.factor === 0 || b.factor === 0) return NONE;
  return { factor: a.factor * b.factor, degree: a.degree + b.degree };
}

export function power({ factor, degree }: Growth, exponent: number): Growth {
  return exponent <= 0 ? ONCE : { factor: factor ** exponent, degree: degree * exponent };
}

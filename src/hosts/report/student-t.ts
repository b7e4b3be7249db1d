/**
 * The two-sided quantile of Student's distribution: `t` with `P(|T| <= t) = confidence`, for `freedom` > 0 degrees
 * (not only whole ones, as Welch's formula gives). By bisection over Simpson's rule; within 1e-6.
 */
export function studentT(confidence: number, freedom: number): number {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`${confidence} is no confidence between 0 and 1`);
  if (!(freedom > 0)) throw new RangeError(`${freedom} degrees of freedom are none`);
  let [low, high] = [0, Math.PI / 2];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (within(middle, freedom) < confidence) low = middle;
    else high = middle;
  }
  return Math.sqrt(freedom) * Math.tan((low + high) / 2);
}

const STEPS = 2000;

/** With t = √f · tan θ the density becomes cos(θ)^(f-1), on a bounded interval: the share of it up to `angle`. */
function within(angle: number, freedom: number): number {
  return integral(angle, freedom) / integral(Math.PI / 2, freedom);
}

/** For f >= 2 smooth to the end. Below it would not be, but then both ends are equally rough: one degree is exact. */
function integral(angle: number, freedom: number): number {
  const step = angle / STEPS;
  const density = (theta: number): number => Math.max(0, Math.cos(theta)) ** (freedom - 1);
  let sum = density(0) + (Number.isFinite(density(angle)) ? density(angle) : 0);
  for (let index = 1; index < STEPS; index += 1) sum += density(index * step) * (index % 2 === 1 ? 4 : 2);
  return (sum * step) / 3;
}

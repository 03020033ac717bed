/** `$0.29`; below a cent two digits that say something. */
export function dollars(amount: number): string {
  if (amount === 0 || amount >= 0.01) return `$${amount.toFixed(2)}`;
  return amount >= 1e-6 ? `$${Number(amount.toPrecision(2))}` : `$${amount.toExponential(1)}`;
}

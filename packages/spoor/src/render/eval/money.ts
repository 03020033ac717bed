/** `$0.29`; below a cent as many digits as it takes to see something. */
export function dollars(amount: number): string {
  if (amount === 0 || amount >= 0.01) return `$${amount.toFixed(2)}`;
  return `$${amount.toPrecision(2).replace(/e-.*$/, "")}`.length > 10
    ? `$${amount.toExponential(1)}`
    : `$${Number(amount.toPrecision(2))}`;
}

/**
 * The check digit of payment cards (ISO/IEC 7812-1 annex B): from the right, every second digit is doubled, 9 is
 * subtracted from what exceeds 9, and the sum is divisible by 10. Everything but digits is ignored.
 */
export function passesLuhn(text: string): boolean {
  let sum = 0;
  let digits = 0;
  for (let index = text.length - 1; index >= 0; index--) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) continue;
    const weighted = digits % 2 === 1 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
    digits++;
  }
  return digits > 0 && sum % 10 === 0;
}

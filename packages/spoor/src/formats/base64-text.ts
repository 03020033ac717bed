/** Base64 → the UTF-8 text it stands for; undefined when it is none. Pure: formats know neither Node nor browsers. */
export function base64Text(base64: string): string | undefined {
  let escaped = "";
  let bits = 0;
  let count = 0;
  for (const character of base64.replace(/[=\s]+$/, "")) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0) return undefined;
    bits = (bits << 6) | digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    escaped += `%${((bits >> count) & 0xff).toString(16).padStart(2, "0")}`;
    bits &= (1 << count) - 1;
  }
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

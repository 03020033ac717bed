/** Long texts of a value cut to a length, and how much was cut; the very same value where nothing is too long. */
import { isObject, type Json, setMember } from "../trace/json.ts";

export interface Shortener {
  text(text: string): string;
  json(value: Json): Json;
  /** Characters that were cut so far. */
  readonly cut: number;
}

export function createShortener(max = Number.POSITIVE_INFINITY): Shortener {
  let cut = 0;
  const text = (value: string) => {
    if (value.length <= max) return value;
    // Not between the two halves of a character.
    const half = value.charCodeAt(max - 1);
    const length = half >= 0xd800 && half <= 0xdbff ? max - 1 : max;
    cut += value.length - length;
    return `${value.slice(0, length)}… (${value.length - length} more characters)`;
  };
  const json = (value: Json): Json => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) {
      const items = (value as readonly Json[]).map(json);
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    if (!isObject(value)) return value;
    const members: Record<string, Json> = {};
    let isSame = true;
    for (const [key, member] of Object.entries(value)) {
      const shorter = json(member);
      setMember(members, key, shorter);
      if (shorter !== member) isSame = false;
    }
    return isSame ? value : members;
  };
  return {
    text,
    json: (value) => (max === Number.POSITIVE_INFINITY ? value : json(value)),
    get cut() {
      return cut;
    },
  };
}

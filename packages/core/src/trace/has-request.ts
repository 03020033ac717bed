import type { Turn } from "./trace.ts";

/** Whether what was sent to the model was recorded, and not only what it answered. */
export function hasRequest({ request }: Turn): boolean {
  for (const _key in request) return true;
  return false;
}

/** Members with which clients name the person or the installation: equal ones stay equal, nobody is named. */
import { isObject, type Json, type JsonObject, setMember } from "../trace/json.ts";
import { hashedName } from "./kept-headers.ts";

const NAMES = /^(?:user_id|x-codex-installation-id|installation_id)$/;

/** The parameters of a request; the very same where they name nobody. */
export function hashPersons(params: JsonObject): JsonObject {
  const changed: Record<string, Json> = {};
  for (const key of ["metadata", "client_metadata"]) {
    const value = params[key];
    if (isObject(value)) changed[key] = hashMembers(value);
  }
  return Object.keys(changed).length === 0 ? params : { ...params, ...changed };
}

function hashMembers(members: JsonObject): JsonObject {
  const hashed: Record<string, Json> = {};
  for (const [key, value] of Object.entries(members))
    setMember(hashed, key, typeof value === "string" && NAMES.test(key) ? hashedName(value) : value);
  return hashed;
}

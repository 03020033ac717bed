/** What compile-schema.ts uses of the JSON Schema library, imported as `#ajv`: one file in the built package instead of a hundred. */
export { Ajv as Ajv07, type ErrorObject, type Options } from "ajv";
export { Ajv2020 } from "ajv/dist/2020.js";
export { default as formats } from "ajv-formats";

/**
 * The numerical library behind special-functions.ts. Imported as `#stdlib`: from source it is this file, in the built
 * package one bundled file, because the library consists of two hundred packages that would take longer to load than most
 * commands take to run.
 */
export { default as betainc } from "@stdlib/math-base-special-betainc";
export { default as betaincinv } from "@stdlib/math-base-special-betaincinv";
export { default as erfc } from "@stdlib/math-base-special-erfc";
export { default as erfcinv } from "@stdlib/math-base-special-erfcinv";
export { default as gammainc } from "@stdlib/math-base-special-gammainc";
export { default as gammaln } from "@stdlib/math-base-special-gammaln";

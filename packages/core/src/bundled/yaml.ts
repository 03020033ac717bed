/** What parse-yaml.ts uses of the YAML library, imported as `#yaml`: one file in the built package instead of seventy. */
export {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
} from "yaml";

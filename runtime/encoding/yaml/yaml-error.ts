import type { YAMLParseError } from "yaml";

/** Text that is not YAML, or YAML that has no JSON. The message is the one Go's parser gives, as far as it can be told. */
export class YamlError extends Error {
  readonly code = "Yaml";

  constructor(message: string, part: "yaml" | "json" = "yaml") {
    super(`${part}: ${message}`);
    this.name = "YamlError";
  }
}

/** What Go's parser says where ours stumbles. */
const MESSAGES: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: "mapping values are not allowed in this context",
  MULTILINE_IMPLICIT_KEY: "mapping values are not allowed in this context",
  TAB_AS_INDENT: "found character that cannot start any token",
  BAD_DIRECTIVE: "did not find expected digit or '.' character",
  MISSING_CHAR: "did not find expected ',' or ']'",
  BAD_INDENT: "did not find expected key",
  UNEXPECTED_TOKEN: "did not find expected key",
  BAD_DQ_ESCAPE: "found unknown escape character",
  RESOURCE_EXHAUSTION: "exceeded max depth of 10000",
  BAD_SCALAR_START: "found character that cannot start any token",
};

/** The first error of a document in Go's words; lines are named from the second on. */
export function translateYamlError(error: YAMLParseError, text: string): YamlError {
  const line = text.slice(0, error.pos[0]).split("\n").length;
  const where = line > 1 ? `line ${line}: ` : "";
  const isOpenText = error.code === "MISSING_CHAR" && /quote/.test(error.message);
  const message = isOpenText ? "found unexpected end of stream" : (MESSAGES[error.code] ?? error.message);
  return new YamlError(where + message);
}

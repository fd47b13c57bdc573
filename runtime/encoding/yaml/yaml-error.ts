/** Invalid YAML, or YAML that cannot be converted to JSON. The message is that of Go's parser, as far as it is known. */
export class YamlError extends Error {
  readonly code = "Yaml";

  constructor(message: string, part: "yaml" | "json" | "" = "yaml") {
    super(part === "" ? message : `${part}: ${message}`);
    this.name = "YamlError";
  }

  /** An error with a complete message. */
  static from(message: string): YamlError {
    return new YamlError(message, "");
  }
}

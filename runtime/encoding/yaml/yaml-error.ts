/** Text that is not YAML, or YAML that has no JSON. The message is the one Go's parser gives, as far as it can be told. */
export class YamlError extends Error {
  readonly code = "Yaml";

  constructor(message: string, part: "yaml" | "json" | "" = "yaml") {
    super(part === "" ? message : `${part}: ${message}`);
    this.name = "YamlError";
  }

  /** An error whose whole message is known. */
  static from(message: string): YamlError {
    return new YamlError(message, "");
  }
}

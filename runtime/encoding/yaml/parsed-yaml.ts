export interface ParsedYaml {
  readonly value: unknown;
  /** Problems that strict decoding reports: duplicate keys. */
  readonly problems: readonly string[];
}

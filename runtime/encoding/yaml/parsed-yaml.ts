export interface ParsedYaml {
  readonly value: unknown;
  /** What strict decoding complains of: keys set twice. */
  readonly problems: readonly string[];
}

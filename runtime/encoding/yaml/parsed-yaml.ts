export interface ParsedYaml {
  readonly value: unknown;
  /** Problems that strict decoding reports: duplicate keys. */
  readonly problems: readonly string[];
  /** Whether it is known that `checkDepth` accepts the value. */
  readonly isShallow?: boolean;
  /** Whether no object occurs in the value twice, as aliases make them, and nobody else holds it. */
  readonly isTree?: boolean;
}

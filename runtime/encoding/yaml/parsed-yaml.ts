export interface ParsedYaml {
  readonly value: unknown;
  /** Problems that strict decoding reports: duplicate keys. */
  readonly problems: readonly string[];
  /** Whether it is known that `checkDepth` accepts the value. */
  readonly isShallow?: boolean;
}

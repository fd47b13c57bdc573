export interface ParsedYaml {
  readonly value: unknown;
  /** Problems that strict decoding reports: duplicate keys. */
  readonly problems: readonly string[];
  /** Whether the value is known to pass `checkDepth`. */
  readonly isShallow?: boolean;
  /** Whether no object occurs twice in the value (as aliases would cause) and no other code holds it. */
  readonly isTree?: boolean;
}

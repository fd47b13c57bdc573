export type TokenType =
  | "end of stream"
  | "version"
  | "tag prefix"
  | "document start"
  | "document end"
  | "block list"
  | "block map"
  | "block end"
  | "["
  | "]"
  | "{"
  | "}"
  | ","
  | "-"
  | "?"
  | ":"
  | "alias"
  | "anchor"
  | "tag"
  | "scalar";

export interface Token {
  readonly type: TokenType;
  /** Counted from 0. */
  readonly line: number;
  /** The value of a scalar; the name of an anchor; the handle of a tag; the version. */
  readonly value: string;
  /** The part of a tag after its handle; of a tag directive, the prefix that the handle stands for. */
  readonly suffix?: string;
  /** Whether a scalar is plain: without quotes, and not a block. */
  readonly isPlain?: boolean;
}

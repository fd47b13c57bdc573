/** Where a command reads and writes: the process's own streams, or a test's. */
export interface CommandStreams {
  readonly stdin: () => string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

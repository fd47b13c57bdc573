/** Input and output of a command: the streams of the process, or those of a test. */
export interface CommandStreams {
  readonly stdin: () => string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

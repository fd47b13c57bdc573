/** Objects cannot be moved. The message is a sentence for the command line. */
export class MoveError extends Error {
  readonly code = "Move";
}

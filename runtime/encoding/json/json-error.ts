/** Text that is not JSON. The message is the one Go's parser gives. */
export class JsonError extends Error {
  readonly code = "Json";

  constructor(message: string) {
    super(message);
    this.name = "JsonError";
  }
}

/** Thrown for text that is not JSON. The message is that of Go's parser. */
export class JsonError extends Error {
  readonly code = "Json";

  constructor(message: string) {
    super(message);
    this.name = "JsonError";
  }
}

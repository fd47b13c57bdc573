/** A value with a given text for messages. Used for values that Go prints in its own notation. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

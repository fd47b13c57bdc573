/** A value as unparsed JSON text, for encoders that write the text unchanged. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

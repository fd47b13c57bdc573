/** A value as its JSON text, which is not parsed: for encoders that write the text as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

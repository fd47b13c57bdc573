/** A value whose text in messages is given, for those that Go prints in its own notation. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

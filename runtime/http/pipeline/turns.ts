/**
 * Limits how many tasks begin in one turn of the event loop; the others wait for the next turns, in order. Between turns
 * the event loop handles other events, such as the end of a disk write.
 */
export class Turns {
  readonly #most: number;
  readonly #next: (turn: () => void) => void;
  #begun = 0;
  #isNextAsked = false;
  #waiting: (() => void)[] = [];

  constructor(most: number, next: (turn: () => void) => void = setImmediate) {
    this.#most = most;
    this.#next = next;
  }

  /** Resolves in a turn that has room; undefined if the current one has. */
  enter(): Promise<void> | undefined {
    if (!this.#isNextAsked) this.#askForNext();
    if (this.#begun < this.#most) {
      this.#begun++;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #askForNext(): void {
    this.#isNextAsked = true;
    this.#next(() => this.#turn());
  }

  #turn(): void {
    const entering = this.#waiting.splice(0, this.#most);
    this.#begun = entering.length;
    this.#isNextAsked = false;
    if (entering.length > 0) this.#askForNext();
    for (const enter of entering) enter();
  }
}

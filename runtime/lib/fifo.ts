/** A queue. Each operation takes constant time on average, regardless of its length; `Array.shift()` and the first entry of a Map do not. */
export class Fifo<T> {
  #items: T[] = [];
  /** Index of the first item that was not removed. */
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get first(): T | undefined {
    return this.#items[this.#head];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const first = this.#items[this.#head];
    if (this.#head < this.#items.length) this.#head++;
    if (this.#head === this.#items.length) this.clear();
    else if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return first;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}

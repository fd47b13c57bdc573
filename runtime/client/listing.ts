import type { Stored } from "./object-types.ts";

export interface Page<T extends object> {
  readonly items: readonly Stored<T>[];
  /** A watch that begins here sees every later change. */
  readonly resourceVersion: string;
  /** The next page; empty after the last. */
  readonly continue: string;
  /** About how many objects follow; undefined if the server does not know. */
  readonly remainingItemCount: number | undefined;
}

/**
 * A list that is read page by page, as it is iterated: `for await (const book of books.list())`. All pages show the state at the time of
 * the first; if it takes so long that the server no longer has that state, the iteration throws an `ExpiredError`.
 */
export class Listing<T extends object> implements AsyncIterable<Stored<T>> {
  readonly #read: (continueToken: string) => Promise<Page<T>>;

  constructor(read: (continueToken: string) => Promise<Page<T>>) {
    this.#read = read;
  }

  async *pages(): AsyncGenerator<Page<T>> {
    let next = "";
    do {
      const page = await this.#read(next);
      yield page;
      next = page.continue;
    } while (next !== "");
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Stored<T>> {
    for await (const { items } of this.pages()) yield* items;
  }

  async all(): Promise<Stored<T>[]> {
    const all: Stored<T>[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

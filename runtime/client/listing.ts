import type { Stored } from "./object-types.ts";

export interface Page<T extends object> {
  readonly items: readonly Stored<T>[];
  /** A watch from this resourceVersion sees every later change. */
  readonly resourceVersion: string;
  /** Continue token of the next page; empty after the last page. */
  readonly continue: string;
  /** Approximate number of objects after this page; undefined if the server does not report it. */
  readonly remainingItemCount: number | undefined;
}

/**
 * A list that is read page by page while it is iterated: `for await (const book of books.list())`. All pages show the state at the time of the first
 * page. If the server no longer has that state, the iteration throws an `ExpiredError`.
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

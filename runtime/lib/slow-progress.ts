import type { Clock } from "./clock.ts";

/** Progress of a task, or its result when it is done. */
export interface Progress {
  readonly count: number;
  readonly milliseconds: number;
  readonly done: boolean;
}

const PATIENCE_MS = 1000;

/** Reports tasks that take longer than a second: their progress once per second, and their end. Does not report shorter ones. */
export class SlowProgress {
  readonly #tell: (progress: Progress) => void;
  readonly #clock: Pick<Clock, "now">;
  readonly #begun: number;
  #count = 0;
  #toldAt: number | undefined;

  constructor(clock: Pick<Clock, "now">, tell: (progress: Progress) => void) {
    this.#clock = clock;
    this.#tell = tell;
    this.#begun = clock.now();
  }

  add(count: number): void {
    this.#count += count;
    if (this.#clock.now() - (this.#toldAt ?? this.#begun) >= PATIENCE_MS) this.#say(false);
  }

  end(): void {
    if (this.#toldAt !== undefined) this.#say(true);
  }

  #say(done: boolean): void {
    this.#toldAt = this.#clock.now();
    this.#tell({ count: this.#count, milliseconds: this.#toldAt - this.#begun, done });
  }
}

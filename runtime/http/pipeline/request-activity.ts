import type { AppContext, Next } from "./app-state.ts";
import { isLongRunning } from "./limit-in-flight.ts";

/** Counts requests, for tests that wait until a server is idle. Watches and connections count only when they begin. */
export class RequestActivity {
  #underWay = 0;
  #count = 0;

  /** Number of requests in progress. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Changes whenever a request begins or ends. */
  get count(): number {
    return this.#count;
  }

  readonly middleware = async (ctx: AppContext, next: Next): Promise<void> => {
    this.#count++;
    if (isLongRunning(ctx)) return void (await next());
    this.#underWay++;
    try {
      await next();
    } finally {
      this.#underWay--;
      this.#count++;
    }
  };
}

import type { SimulatedProcess } from "./simulated-process.ts";
import type { World } from "./world.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Pause after a request without a response, or one that is temporarily rejected. */
const PAUSE_MS = 20;
const MOST_ATTEMPTS = 500;

/** A client that repeats its requests at one server after another until it knows their outcome. */
export class PatientClient {
  readonly #world: World;
  readonly #servers: readonly SimulatedProcess[];
  readonly #token: string;

  constructor(world: World, servers: readonly SimulatedProcess[], token: string) {
    this.#world = world;
    this.#servers = servers;
    this.#token = token;
  }

  /** Sends a request once. Returns undefined if there was no response, or one that leaves the outcome open. */
  async try(server: number, method: string, path: string, body?: object): Promise<Answer | undefined> {
    const process = this.#servers[server % this.#servers.length] as SimulatedProcess;
    const what = `${this.#token}: ${method} ${path}`;
    this.#world.note(`-> ${what} ${body === undefined ? "" : JSON.stringify(body)}`);
    const answer = await process.request(method, path, body, this.#token).catch(() => undefined);
    this.#world.note(`<- ${what}: ${answer?.status} ${(answer?.body as { message?: string })?.message ?? ""}`);
    return answer === undefined || answer.status >= 500 || answer.status === 429 ? undefined : answer;
  }

  /** Repeats a request until it has one of the statuses. Returns undefined if it has none within `withinMs`. */
  async until(
    statuses: readonly number[],
    method: string,
    path: string,
    body?: object,
    withinMs = Number.POSITIVE_INFINITY,
  ): Promise<Answer | undefined> {
    const end = this.#world.elapsed + withinMs;
    for (let attempt = 0; attempt < MOST_ATTEMPTS && this.#world.elapsed < end; attempt++) {
      const answer = await this.try(attempt, method, path, body);
      if (answer !== undefined && statuses.includes(answer.status)) return answer;
      await this.pause(PAUSE_MS);
    }
    return undefined;
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#world.timer(milliseconds, resolve, "client waits"));
  }
}

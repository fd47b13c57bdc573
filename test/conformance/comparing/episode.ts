import { setTimeout as delay } from "node:timers/promises";
import type { Answer, Parsed, PlaneClient } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import type { ComparedRequest, Differences, Pair, World } from "./compared-request.ts";

/** Requests that depend on the responses to the previous ones. */
export type Episode = (random: Random, world: World, exchange: Exchange) => Promise<void>;

export interface Exchange {
  /** Sends a request to both servers and records the differences. */
  send(request: ComparedRequest): Promise<Differences["answers"]>;
  /** Records a difference that is not between two responses. */
  keep(request: ComparedRequest, different: readonly string[], shown: Pair<string>): void;
}

/** The resourceVersions that the writes of an episode returned. The two servers number them differently. */
export class Versions {
  readonly #of: string[][] = [[], []];

  /**
   * Records the versions in both responses to a write, if both servers returned an object. Returns false if only one of the versions was
   * known before.
   */
  note(answers: Differences["answers"]): boolean {
    const bodies = answers.map(({ text }) => objectOf(text));
    if (bodies.some((body) => body?.items !== undefined)) return true;
    const found = bodies.map((body) => body?.metadata?.resourceVersion as unknown);
    if (found.some((version) => typeof version !== "string" || !/^\d+$/.test(version))) return true;
    const known = found.map((version, side) => this.#of[side]?.includes(version as string));
    if (known.every((each) => each)) return true;
    for (const side of [0, 1] as const) this.#of[side]?.push(found[side] as string);
    return !known.includes(true);
  }

  get count(): number {
    return this.#of[0]?.length ?? 0;
  }

  at(index: number): Pair<string> {
    return [this.#of[0]?.[index] ?? "", this.#of[1]?.[index] ?? ""];
  }

  get last(): Pair<string> {
    return this.at(this.count - 1);
  }

  /** Returns the name of the write that returned this version, or that preceded it. */
  nameOf(side: 0 | 1, version: unknown): string {
    if (typeof version !== "string" || !/^\d+$/.test(version)) return String(version);
    const before = (this.#of[side] ?? []).filter((each) => BigInt(each) <= BigInt(version));
    return before.includes(version) ? `write ${before.length}` : `after write ${before.length}`;
  }
}

export function objectOf(text: string): Parsed {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a pair. A single value applies to both servers. */
export const pairOf = <T>(value: T | Pair<T>): Pair<T> =>
  Array.isArray(value) ? (value as Pair<T>) : [value as T, value as T];

/** An open watch, and what it has sent so far. */
export class OpenWatch {
  readonly #abort = new AbortController();
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: Answer["headers"] = {};
  /** Whether the server ended it. */
  hasEnded = false;

  /** Resolves when the server has sent the headers. */
  static async open(call: PlaneClient, path: string, accept: string): Promise<OpenWatch> {
    const watch = new OpenWatch();
    await new Promise<void>((resolve, reject) => {
      const options = {
        headers: { Accept: accept },
        signal: watch.#abort.signal,
        onResponse: (incoming: Parameters<NonNullable<NonNullable<Parameters<PlaneClient>[2]>["onResponse"]>>[0]) => {
          watch.#status = incoming.statusCode ?? 0;
          watch.#headers = incoming.headers;
          incoming.on("data", (chunk: Buffer) => watch.#chunks.push(chunk));
          incoming.on("end", () => (watch.hasEnded = true));
          incoming.on("error", () => undefined);
          resolve();
        },
      };
      call("GET", path, options).catch(reject);
    });
    return watch;
  }

  get answer(): Pick<Answer, "status" | "headers" | "text"> & { readonly bytes: Buffer } {
    const bytes = Buffer.concat(this.#chunks);
    return { status: this.#status, headers: this.#headers, bytes, text: bytes.toString("utf8") };
  }

  close(): void {
    this.#abort.abort();
  }
}

const QUIET_MS = 150;
const LONGEST_MS = 2500;

/** Waits until both servers have sent the same number of events, or until the time limit. */
export async function settle(count: () => Pair<number>): Promise<void> {
  let before = "";
  for (const deadline = Date.now() + LONGEST_MS; Date.now() < deadline; await delay(QUIET_MS)) {
    const now = count();
    if (now[0] === now[1] && before === now.join()) return;
    before = now.join();
  }
}

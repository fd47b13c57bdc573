import type { RequestListener } from "node:http";
import type { Log } from "../../runtime/lib/log.ts";
import type { Server } from "../../runtime/server/create-server.ts";
import type { Store } from "../../runtime/store/store.ts";
import type { Api } from "../linearizable/record-history.ts";
import { Fifo } from "./fifo.ts";
import { SimulatedListener } from "./simulated-listener.ts";
import { type Beginning, startServer, TOKEN } from "./simulated-server.ts";
import type { World } from "./world.ts";

/** Maximum delays of a message in one direction, and between two reads of a slow client. */
const MESSAGE_MS = 4;
const SLOW_READ_MS = 60;

export interface ProcessOptions {
  readonly world: World;
  readonly beginning: Beginning;
  readonly name: string;
  /** Opens the store for a new process. */
  readonly openStore: () => Store;
  readonly loss: number;
  /** Called with log messages of a running server, except informational ones. */
  readonly logged: (message: string) => void;
}

/** A server process that may end at any time, and the network between it and its clients. */
export class SimulatedProcess implements Api {
  readonly #options: ProcessOptions;
  readonly #connections = new Set<() => void>();
  #server: Server | undefined;
  #listener: SimulatedListener | undefined;
  /** Number of the current start. Actions of earlier processes have no effect. */
  #life = 0;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { world, beginning, openStore, logged } = this.#options;
    const life = ++this.#life;
    const isAlive = (): boolean => life === this.#life;
    const log: Log = (level, message, fields) =>
      void (isAlive() && level !== "info" && logged(`${level}: ${message} ${JSON.stringify(fields ?? {})}`));
    let listener: SimulatedListener | undefined;
    const openListener = async (handle: RequestListener): Promise<SimulatedListener> => {
      listener = new SimulatedListener(handle, world);
      return listener;
    };
    const server = await startServer(beginning, { store: openStore(), clock: world.clock(isAlive), log, openListener });
    if (isAlive()) [this.#server, this.#listener] = [server, listener];
  }

  /** Ends the process like kill -9. */
  crash(): void {
    this.#life++;
    this.#server = undefined;
    this.#listener = undefined;
    this.cut();
  }

  /** Ends the process like SIGTERM. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.stop();
    this.#listener = undefined;
    this.cut();
    this.#life++;
  }

  /** Breaks all connections of clients. */
  cut(): void {
    for (const end of [...this.#connections]) end();
  }

  request(method: string, path: string, body?: object, token = TOKEN): ReturnType<Api["request"]> {
    const { world, loss, name } = this.#options;
    return this.#connected(async (isOpen, closed) => {
      await world.delay(`${name} request`, MESSAGE_MS);
      if (!isOpen() || world.chance(loss)) throw new Error("the request was lost");
      const parts: Buffer[] = [];
      const exchange = this.#running().send(
        { method, path, headers: headersOf(method, path, body, token), body },
        (part, next) => {
          parts.push(part);
          next();
        },
      );
      closed(() => exchange.abort());
      await exchange.ended;
      await world.delay(`${name} response`, MESSAGE_MS);
      if (!isOpen() || world.chance(loss)) throw new Error("the response was lost");
      return { status: exchange.status(), body: JSON.parse(Buffer.concat(parts).toString()) as unknown };
    });
  }

  watch(path: string, onEvent: (event: unknown) => void, signal?: AbortSignal): Promise<void> {
    const { world, name } = this.#options;
    return this.#connected(async (isOpen, closed) => {
      await world.delay(`${name} watch request`, MESSAGE_MS);
      if (!isOpen() || signal?.aborted) return;
      const readMs = world.chance(0.2) ? SLOW_READ_MS : 1;
      const fifo = new Fifo(world, `${name} watch`, MESSAGE_MS);
      let rest = "";
      const receive = (part: Buffer): void => {
        if (!isOpen()) return;
        const lines = (rest + part.toString()).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line !== "") onEvent(eventOf(line));
      };
      const exchange = this.#running().send(
        { method: "GET", path, headers: headersOf("GET", path, undefined) },
        (part, next) => {
          fifo.send(() => receive(part));
          // The server must wait until the client continues to read.
          world.event(`${name} read`, readMs, next);
        },
      );
      closed(() => exchange.abort());
      signal?.addEventListener("abort", () => exchange.abort());
      await exchange.ended;
      await new Promise<void>((resolve) => fifo.send(resolve));
      if (rest !== "" && isOpen()) onEvent(eventOf(rest));
    });
  }

  #running(): SimulatedListener {
    if (this.#listener === undefined) throw new Error("connection refused");
    return this.#listener;
  }

  /** Uses a connection. Rejects when the connection breaks, whatever happens at the other end. */
  #connected<T>(use: (isOpen: () => boolean, closed: (then: () => void) => void) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const onClosed: (() => void)[] = [];
      const end = (): void => {
        this.#connections.delete(end);
        for (const then of onClosed) then();
        reject(new Error("the connection broke"));
      };
      this.#connections.add(end);
      const leave = (): void => void this.#connections.delete(end);
      use(
        () => this.#connections.has(end),
        (then) => void onClosed.push(then),
      )
        .finally(leave)
        .then(resolve, reject);
    });
  }
}

function headersOf(method: string, path: string, body: object | undefined, token = TOKEN): Record<string, string> {
  const authorization = `Bearer ${token}`;
  if (body === undefined) return { authorization };
  return { authorization, "content-type": method === "PATCH" ? patchType(path) : "application/json" };
}

function patchType(path: string): string {
  return path.includes("fieldManager=") ? "application/apply-patch+yaml" : "application/merge-patch+json";
}

/** Parses an event. A rejected watch gets a Status as response. */
function eventOf(line: string): unknown {
  const value = JSON.parse(line) as { kind?: string };
  return value.kind === "Status" ? { type: "ERROR", object: value } : value;
}

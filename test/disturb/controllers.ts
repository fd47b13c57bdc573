import type { Plane } from "../../runtime/plane.ts";
import { CONFIG_MAPS, configMap, type Read } from "../plane/requests.ts";

/**
 * Two controllers with the same task: for every ConfigMap `in-x` there must be an `out-x` with the same data, and no other. The careful one
 * works like client-go and controller-runtime; the naive one passes its tests only on an undisturbed server.
 */
export interface Controller {
  stop(): void;
}

interface Event {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: Read;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends a request. Returns the object of the response, or the status code of a failure; 0 if there is no response. */
async function send(plane: Plane, method: string, path: string, body?: unknown): Promise<Read | number> {
  try {
    const init =
      body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const response = await plane.fetch(path, { method, ...init });
    const text = await response.text();
    return response.ok ? (JSON.parse(text) as Read) : response.status;
  } catch {
    return 0;
  }
}

/** Repeats a request while the server rejects it or the connection breaks. */
export async function sendPatiently(
  plane: Plane,
  method: string,
  path: string,
  body?: unknown,
): Promise<Read | number> {
  for (;;) {
    const answer = await send(plane, method, path, body);
    if (answer !== 429 && answer !== 0) return answer;
    await pause(20);
  }
}

/** Reads a watch until it ends or the handler stops it. Returns whether it could be opened. */
async function readWatch(
  plane: Plane,
  resourceVersion: string,
  signal: AbortSignal,
  onEvent: (event: Event) => boolean,
): Promise<boolean> {
  try {
    const path = `${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`;
    const response = await plane.fetch(path, { signal });
    if (!response.ok) return false;
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (!onEvent(JSON.parse(line) as Event)) return true;
    }
    return true;
  } catch {
    return false;
  }
}

export function runCarefully(plane: Plane): Controller {
  const stopping = new AbortController();
  const known = new Map<string, Read>();
  const queue = new Set<string>();
  const note = (name: string): void => void queue.add(name.replace(/^(?:in|out)-/, ""));

  const informer = async (): Promise<void> => {
    let resourceVersion: string | undefined;
    let listFrom = "?resourceVersion=0";
    while (!stopping.signal.aborted) {
      if (resourceVersion === undefined) {
        const list = await send(plane, "GET", `${CONFIG_MAPS}${listFrom}`);
        if (typeof list === "number") {
          await pause(20);
          continue;
        }
        const present = new Map(list.items.map((item) => [item.metadata.name, item]));
        for (const name of [...known.keys(), ...present.keys()]) note(name);
        known.clear();
        for (const [name, item] of present) known.set(name, item);
        resourceVersion = list.metadata.resourceVersion;
      }
      const opened = await readWatch(plane, resourceVersion, stopping.signal, ({ type, object }) => {
        if (type === "ERROR") {
          // The history was compacted. The next list must not be older than what was seen.
          listFrom = "";
          resourceVersion = undefined;
          return false;
        }
        resourceVersion = object.metadata.resourceVersion;
        if (type === "BOOKMARK") return true;
        if (type === "DELETED") known.delete(object.metadata.name);
        else known.set(object.metadata.name, object);
        note(object.metadata.name);
        return true;
      });
      if (!opened) await pause(20);
    }
  };

  /** Compares with the live object, because the cache may lag behind. Returns whether it is done. */
  const reconcile = async (name: string): Promise<boolean> => {
    const path = `${CONFIG_MAPS}/out-${name}`;
    const wanted = known.get(`in-${name}`);
    const live = await send(plane, "GET", path);
    if (live === 404) {
      if (wanted === undefined) return true;
      return typeof (await send(plane, "POST", CONFIG_MAPS, configMap(`out-${name}`, wanted.data))) === "object";
    }
    if (typeof live === "number") return false;
    if (wanted === undefined) return typeof (await send(plane, "DELETE", path)) === "object";
    if (live.data?.value === wanted.data?.value) return true;
    return typeof (await send(plane, "PUT", path, { ...live, data: wanted.data })) === "object";
  };

  const worker = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const [name] = queue;
      if (name === undefined) {
        await pause(5);
        continue;
      }
      queue.delete(name);
      if (!(await reconcile(name))) {
        queue.add(name);
        await pause(5);
      }
    }
  };

  void informer();
  void worker();
  return { stop: () => stopping.abort() };
}

/** Trusts its cache, does not retry failures, and ignores both the end of a watch and errors in it. */
export function runNaively(plane: Plane): Controller {
  const stopping = new AbortController();
  const known = new Map<string, Read>();
  const learn = (object: Read | number): void => {
    if (typeof object === "number") return;
    const { name, resourceVersion } = object.metadata;
    if (Number(resourceVersion) > Number(known.get(name)?.metadata.resourceVersion ?? 0)) known.set(name, object);
  };
  const handle = async (name: string): Promise<void> => {
    if (!name.startsWith("in-")) return;
    const [wanted, out] = [known.get(name), `out-${name.slice(3)}`];
    const present = known.get(out);
    if (wanted === undefined) await send(plane, "DELETE", `${CONFIG_MAPS}/${out}`);
    else if (present === undefined) learn(await send(plane, "POST", CONFIG_MAPS, configMap(out, wanted.data)));
    else learn(await send(plane, "PUT", `${CONFIG_MAPS}/${out}`, { ...present, data: wanted.data }));
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const list = await send(plane, "GET", `${CONFIG_MAPS}?resourceVersion=0`);
      if (typeof list === "number") return;
      for (const item of list.items) known.set(item.metadata.name, item);
      for (const item of list.items) await handle(item.metadata.name);
      let queue = Promise.resolve();
      await readWatch(plane, list.metadata.resourceVersion, stopping.signal, ({ type, object }) => {
        if (type === "BOOKMARK" || type === "ERROR") return true;
        if (type === "DELETED") known.delete(object.metadata.name);
        else learn(object);
        queue = queue.then(() => handle(object.metadata.name));
        return true;
      });
    }
  };
  void run();
  return { stop: () => stopping.abort() };
}

import type { Plane } from "../../runtime/plane.ts";
import type { Api } from "./record-history.ts";

/** Sends requests to a plane in the same process, without sockets. */
export function planeApi({ fetch }: Pick<Plane, "fetch">): Api {
  return {
    async request(method, path, body) {
      const sent =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      // Lets other work run: requests and responses only wait for promises, which would leave it no turn.
      await new Promise((resolve) => setImmediate(resolve));
      const response = await fetch(path, { method, ...sent });
      return { status: response.status, body: await response.json() };
    },
    async watch(path, onEvent, signal) {
      const response = await fetch(path);
      const reader = response.body?.getReader();
      const cancel = (): void => void reader?.cancel();
      signal?.addEventListener("abort", cancel);
      const decoder = new TextDecoder();
      let rest = "";
      for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
        const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) onEvent(JSON.parse(line));
        if (signal?.aborted) cancel();
      }
      signal?.removeEventListener("abort", cancel);
    },
  };
}

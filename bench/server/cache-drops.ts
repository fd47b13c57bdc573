import type { Client } from "./load.ts";

const DROPPED = /^typeplane_cache_dropped_total\{cache="([^"]+)"\} (\d+)$/gm;

/**
 * Runs some work and reports the caches of the server that were full meanwhile, because full caches change the measured costs. `warning` is
 * undefined if no cache was full, or if the server does not report drops.
 */
export async function droppedDuring<T>(
  client: Client,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly warning: string | undefined }> {
  const before = await readDropped(client);
  const result = await work();
  const after = await readDropped(client);
  const full = [...after].flatMap(([cache, count]) => {
    const dropped = count - (before.get(cache) ?? 0);
    return dropped > 0 ? [`${cache} (${dropped.toLocaleString("en")} dropped)`] : [];
  });
  return { result, warning: full.length === 0 ? undefined : `cache full: ${full.join(", ")}` };
}

async function readDropped(client: Client): Promise<Map<string, number>> {
  if (client.target.pids.length === 0) return new Map();
  const text = (await client.send({ path: "/metrics" })).toString("utf8");
  return new Map([...text.matchAll(DROPPED)].map(([, cache = "", count]) => [cache, Number(count)]));
}

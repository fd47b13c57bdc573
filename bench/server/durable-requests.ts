import { inDirectory, measureInTurn, openBare, type Side } from "../store/durable-writes.ts";
import type { Call, Client } from "./load.ts";
import type { Report } from "./measure-server.ts";
import { configMap, MAPS_PATH } from "./objects.ts";

const IN_FLIGHT = 16;
/** Objects that updates and patches take turns on: enough that no two in flight meet on one. */
const OBJECTS = 256;

/**
 * Durable writes through the whole server (TLS, decoding, admission, owners of fields, validation, store) per second, beside
 * bare LMDB that puts the same bytes with as many writes in flight, the two in turn.
 */
export async function measureDurableRequests(client: Client, report: Report): Promise<void> {
  const name = (index: number) => `durable-${index % OBJECTS}`;
  const map = (index: number) => configMap(name(index), String(index));
  for (let index = 0; index < OBJECTS; index++) {
    await client.send({ method: "POST", path: MAPS_PATH, body: map(index) });
  }
  const stored = await client.send({ path: `${MAPS_PATH}/${name(0)}` });
  const calls: Readonly<Record<string, (index: number) => Call>> = {
    create: (index) => ({ method: "POST", path: MAPS_PATH, body: configMap(`durable-new-${index}`, String(index)) }),
    update: (index) => ({ method: "PUT", path: `${MAPS_PATH}/${name(index)}`, body: map(index) }),
    patch: (index) => ({
      method: "PATCH",
      path: `${MAPS_PATH}/${name(index)}`,
      headers: { "content-type": "application/merge-patch+json" },
      body: `{"data":{"value":"patched ${index}"}}`,
    }),
  };
  for (const [verb, call] of Object.entries(calls)) {
    const server: Side = { write: (index) => client.send(call(index)), close: async () => undefined };
    const [ours, bare] = await inDirectory(async (directory) => {
      const floor = openBare(directory, stored);
      try {
        return await measureInTurn([server, floor], IN_FLIGHT);
      } finally {
        await floor.close();
      }
    });
    report({
      name: `${verb}, durable, ${IN_FLIGHT} in flight`,
      value: ours,
      unit: "/s",
      baseline: { name: "bare lmdb", value: bare },
      bar: { atLeast: 0.4 },
    });
  }
}

import { measureInTurn, type Side } from "../store/durable-writes.ts";
import { startBareServer } from "./bare-target.ts";
import { type Call, Client } from "./load.ts";
import type { Report } from "./measure-server.ts";
import { configMap, MAPS_PATH, NAMESPACE } from "./objects.ts";
import type { Target } from "./server-process.ts";

const IN_FLIGHT = 16;
/** A request takes many times as long as a write to the store, and executes much more code that must be compiled first. */
const TURNS = { sliceMs: 150, slices: 32, warmUp: 8_000 };
/** Objects that updates and patches change in turn: so many that no two requests in flight change the same one. */
const OBJECTS = 256;

/**
 * Measures durable writes per second through the whole server (decoding, admission, field ownership, validation, store). The baseline is a
 * bare server over the same TLS that writes the same bytes to bare LMDB, with the same concurrency. The two take turns.
 */
export async function measureDurableRequests(target: Target, report: Report): Promise<void> {
  const client = new Client(target);
  const name = (index: number) => `durable-${index % OBJECTS}`;
  const map = (index: number) => configMap(name(index), String(index));
  await client.send({ method: "POST", path: "/api/v1/namespaces", body: `{"metadata":{"name":"${NAMESPACE}"}}` });
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
  const bareTarget = await startBareServer([stored]);
  const bareClient = new Client(bareTarget);
  const floor: Side = { write: () => bareClient.send({ method: "POST", path: "/0", body: map(0) }) };
  try {
    for (const [verb, call] of Object.entries(calls)) {
      const server: Side = { write: (index) => client.send(call(index)) };
      const [ours, bare] = await measureInTurn([server, floor], IN_FLIGHT, TURNS);
      report({
        name: `${verb}, durable, ${IN_FLIGHT} in flight`,
        value: ours,
        unit: "/s",
        baseline: { name: "bare server and lmdb", value: bare },
        bar: { atLeast: 0.4 },
      });
    }
  } finally {
    client.close();
    bareClient.close();
    await bareTarget.stop();
  }
}

import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { ask, CONFIG_MAPS, configMap } from "../plane/requests.ts";
import { sendPatiently } from "./controllers.ts";

let plane: Plane;

beforeAll(async () => {
  plane = await startPlane({ flags: { controllers: "false" } });
  await plane.ready;
  for (const name of ["a", "b", "c"]) await ask(plane, "POST", CONFIG_MAPS, configMap(name, { value: "0" }));
});
afterAll(() => plane.stop());

/** Changes objects while the official informer follows them. Returns the final state of the informer and of the server. */
async function follow(seed: number): Promise<readonly [unknown, unknown]> {
  const fork = await plane.fork({ disturb: `seed=${seed},stale,late,close,expire,conflict,refuse,slow,restart=0.05` });
  const config = new KubeConfig();
  config.loadFromString(fork.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const informer = makeInformer<V1ConfigMap>(config, CONFIG_MAPS, () =>
    api.listNamespacedConfigMap({ namespace: "default" }),
  );
  let stopped = false;
  // Its documentation requires this: it stops at connection errors and errors of lists.
  informer.on("error", () => {
    setTimeout(() => void (stopped || informer.start().catch(() => undefined)), 50);
  });
  await informer.start().catch(() => undefined);
  for (let round = 1; round <= 5; round++) {
    for (const name of ["a", "b"]) {
      await sendPatiently(fork, "PUT", `${CONFIG_MAPS}/${name}`, configMap(name, { value: String(round) }));
    }
    await sendPatiently(fork, round % 2 === 1 ? "DELETE" : "POST", ...pathAndBody(round));
  }
  const summary = (objects: readonly V1ConfigMap[]): unknown =>
    Object.fromEntries(objects.map(({ metadata, data }) => [metadata?.name, data?.value]).sort());
  let result: readonly [unknown, unknown] = [undefined, undefined];
  for (const end = Date.now() + 240_000; Date.now() < end; ) {
    const list = await sendPatiently(fork, "GET", CONFIG_MAPS);
    const present = typeof list === "number" ? [] : (list.items as unknown as V1ConfigMap[]);
    result = [summary(informer.list("default") as readonly V1ConfigMap[]), summary(present)];
    if (JSON.stringify(result[0]) === JSON.stringify(result[1])) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  stopped = true;
  await informer.stop();
  await fork.stop();
  return result;
}

function pathAndBody(round: number): [string, unknown?] {
  return round % 2 === 1 ? [`${CONFIG_MAPS}/c`] : [CONFIG_MAPS, configMap("c", { value: String(round) })];
}

describe("the informer of the official JavaScript client", () => {
  it("knows what the server has in the end, whatever disturbs it over its connections", {
    timeout: 90_000,
  }, async () => {
    const results = await Promise.all([1, 2, 3, 4, 5, 6].map(follow));
    for (const [known, present] of results) expect(known).toEqual(present);
    expect(results.map(([, present]) => present)).toEqual(results.map(() => ({ a: "5", b: "5" })));
  });
});

import { WATCHED, Watchers } from "../server/watchers.ts";
import type { Curve } from "./curve.ts";
import { GrowingServer } from "./growing-server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const FLAGS = ["--max-longrunning-requests-per-user=0", "--max-longrunning-requests=0"];
const LIMIT_MS = 60_000;
const WRITES = 20;
/** Equal to the maximum number of watchers: before the measurement, each watcher has received an event and the server's code is compiled. */
const FIRST_WRITES = 1_000;

/** Measures against the number of watchers of all objects, with the same number of watchers of one other object each. */
export function growWithWatchers(): Promise<Curve> {
  return GrowingServer.run(
    async (server) => {
      const { target } = server.client;
      const opened: Watchers[] = [];
      let events = 0;
      /** Changes an object that has one watcher. */
      const changeOne = (index: number, value: string): Promise<unknown> => {
        const metadata = { name: `${WATCHED}one-${index}` };
        return server.apply(`${MAPS}/${metadata.name}`, "bench", {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata,
          data: { value },
        });
      };
      /** Writes objects that all watchers receive, and waits for all of them. */
      const followed = async (index: number, x: number): Promise<void> => {
        for (let write = 0; write < WRITES; write++)
          await server.post(MAPS, { metadata: { name: `${WATCHED}${index}-${write}`, labels: { all: "yes" } } });
        events += WRITES * x;
        const [all] = opened.slice(-2);
        await all?.until(events, LIMIT_MS);
      };
      try {
        return await server.curve(
          { id: "watchers", title: "Number of watchers", counted: "watchers" },
          [10, 100, 1_000],
          async (_, to) => {
            await Promise.all(opened.map((each) => each.close()));
            events = 0;
            const watch = `watch=1&resourceVersion=${await currentVersion(server)}`;
            const all = await Watchers.open(target, `${MAPS}?labelSelector=all%3Dyes&${watch}`, to);
            const one = await Watchers.open(
              target,
              `${MAPS}?fieldSelector=metadata.name%3D${WATCHED}one-{}&${watch}`,
              to,
            );
            opened.push(all, one);
            await server.each(0, FIRST_WRITES, (index) => changeOne(index % to, `${index} of ${to}`));
            await one.until(FIRST_WRITES, LIMIT_MS);
          },
          [
            { name: `${WRITES} writes that all see`, exponent: 1, count: 1, inFlight: 1, work: followed },
            {
              name: "write that one of as many sees",
              exponent: 0,
              count: 50,
              work: (index, x) => changeOne(index % x, String(index)),
            },
            {
              name: "write that none sees",
              exponent: 0,
              count: 50,
              work: (index) => server.post(MAPS, { metadata: { name: `unseen-${index}` } }),
            },
          ],
        );
      } finally {
        await Promise.all(opened.map((each) => each.close()));
      }
    },
    { flags: FLAGS },
  );
}

async function currentVersion(server: GrowingServer): Promise<string> {
  const page = await server.client.send({ path: `${MAPS}?limit=1` });
  return /"resourceVersion":"(\d+)"/.exec(page.toString("utf8"))?.[1] ?? "0";
}

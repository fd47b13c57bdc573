import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const CONNECTIONS = 60;
const REQUESTS = 8;
const FLOOD = "flood";
const PATIENT_MS = 60_000;

const { running } = servePlane({ "authorization-mode": "AlwaysAllow" });

/** Number of requests of the flooding user that the server has read but not completed, at the end of each of its responses. */
function countRead() {
  const samples: number[] = [];
  let read = 0;
  const isFlood = (message: unknown): boolean =>
    (message as { readonly request: IncomingMessage }).request.headers["impersonate-user"] === FLOOD;
  const began = (message: unknown): void => {
    if (isFlood(message)) read += 1;
  };
  const finished = (message: unknown): void => {
    if (!isFlood(message)) return;
    samples.push(read);
    read -= 1;
  };
  subscribe("http.server.request.start", began);
  subscribe("http.server.response.finish", finished);
  return {
    samples,
    stop() {
      unsubscribe("http.server.request.start", began);
      unsubscribe("http.server.response.finish", finished);
    },
  };
}

describe("a user that floods the server over many connections", () => {
  it(
    "gets every response, while only a few of its requests are read ahead of their turn",
    async () => {
      const { client } = running();
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, ca: client.certificateAuthority });
      const headers = { Authorization: `Bearer ${client.token}`, "Impersonate-User": FLOOD };
      const get = (): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          const sent = request(`${client.server}/api/v1/namespaces/default`, { agent, headers }, (response) => {
            response.resume();
            response.on("end", () => resolve(response.statusCode));
          });
          sent.on("error", reject);
          sent.end();
        });
      const repeat = async (): Promise<(number | undefined)[]> => {
        const statuses = [];
        for (let count = 0; count < REQUESTS; count++) statuses.push(await get());
        return statuses;
      };
      const { samples, stop } = countRead();
      try {
        const statuses = (await Promise.all(Array.from({ length: CONNECTIONS }, repeat))).flat();
        expect(new Set(statuses)).toEqual(new Set([200]));
        const steady = samples.slice(2 * CONNECTIONS, -CONNECTIONS).sort((a, b) => a - b);
        expect(steady[Math.floor(steady.length / 2)]).toBeLessThan(CONNECTIONS / 2);
      } finally {
        stop();
        agent.destroy();
      }
    },
    PATIENT_MS,
  );
});

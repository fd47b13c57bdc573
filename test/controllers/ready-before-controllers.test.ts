import { expect, it } from "vitest";
import { createNaming } from "../../runtime/contract/naming.ts";
import { StartUp } from "../../runtime/http/health/start-up-steps.ts";
import { systemClock } from "../../runtime/lib/clock.ts";
import { type BackgroundParts, startBackground } from "../../runtime/server/background.ts";

/** Dependencies for starting the background of a server without kinds and objects. */
function fixture(startUp: StartUp, follow: () => void) {
  const surface = { groups: [], storesKind: () => false, entries: () => [] };
  const parts = {
    config: { controllers: true, serviceClusterIpRange: "10.0.0.0/24", authorizationModes: [], garbageCollector: true },
    naming: createNaming({ domain: "k8s.io", vendor: "kubernetes" }),
    sparseFeed: {
      async follow() {
        follow();
        return () => undefined;
      },
    },
    surface: () => surface,
    featureEnabled: () => false,
    bootstrapped: true,
    trust: () => ({ clientAuthorityPem: "" }),
    securePort: 443,
    startUp,
    stopping: new AbortController().signal,
    clock: systemClock,
    now: () => new Date(0),
    log: () => undefined,
  };
  return parts as unknown as BackgroundParts;
}

it("a server is ready, and handles requests that have arrived, before its built-in controllers start", async () => {
  const startUp = new StartUp();
  const seen: string[] = [];
  const isReady = (): boolean => startUp.problemOf("start-service-ip-repair-controllers") === undefined;
  const request = new Promise<void>((resolve) =>
    setImmediate(() => {
      seen.push(isReady() ? "request to a ready server" : "request");
      resolve();
    }),
  );
  const background = await startBackground(fixture(startUp, () => seen.push("controllers")));
  await request;
  await background.stop();
  expect([...new Set(seen)]).toEqual(["request to a ready server", "controllers"]);
});

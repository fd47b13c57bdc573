import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { AuditBatches } from "../../runtime/audit/audit-batches.ts";
import type { AuditEvent } from "../../runtime/audit/audit-event.ts";
import type { AuditLogMode } from "../../runtime/audit/audit-log.ts";
import { AuditWebhook } from "../../runtime/audit/audit-webhook.ts";
import type { Clock } from "../../runtime/lib/clock.ts";
import { startPlane } from "../../runtime/plane.ts";
import { type HttpsServer, startHttps } from "../fixtures/https-server.ts";
import { createClient } from "../fixtures/plane-client.ts";

/** A clock that only advances when told to. */
function handClock(): Clock & { pass(milliseconds: number): Promise<void> } {
  let now = 0;
  const timers = new Map<() => void, number>();
  return {
    now: () => now,
    after(delayMs, action) {
      timers.set(action, now + delayMs);
      return () => void timers.delete(action);
    },
    async pass(milliseconds) {
      now += milliseconds;
      for (const [action, due] of [...timers])
        if (due <= now) {
          timers.delete(action);
          action();
        }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function webhook(mode: AuditLogMode, batches: Partial<AuditBatches> = {}, delivered = async () => {}) {
  const clock = handClock();
  const sent: string[] = [];
  const lost: string[] = [];
  const state = { fails: false };
  let number = 0;
  const sink = new AuditWebhook({
    mode,
    batches: { bufferSize: 100, bufferBytes: 1000, maxSize: 3, maxWaitMs: 1000, throttle: undefined, ...batches },
    format: () => `${(number += 1)}`,
    async send(events) {
      if (state.fails) throw new Error("gone");
      await delivered();
      sent.push(events.join(""));
    },
    clock,
    onLost: (events, why, noRoom) => lost.push(`${events}: ${why}${noRoom ? "!" : ""}`),
  });
  const accept = (count = 1) => Array.from({ length: count }, () => sink.accept({} as AuditEvent));
  return { sink, clock, sent, lost, state, accept };
}

describe("events for a webhook", () => {
  it("are sent in batches, when a batch is full or its maximum wait is over", async () => {
    const { sink, clock, sent, accept } = webhook("batch");
    expect(accept(4)).toEqual([undefined, undefined, undefined, undefined]);
    await clock.pass(0);
    expect(sent).toEqual(["123"]);
    await clock.pass(999);
    expect(sent).toEqual(["123"]);
    await clock.pass(1);
    expect(sent).toEqual(["123", "4"]);
    accept(2);
    await sink.close();
    expect(sent).toEqual(["123", "4", "56"]);
  });

  it("are throttled, and dropped when the buffer is full", async () => {
    const { sink, clock, sent, lost, accept } = webhook("batch", {
      bufferSize: 6,
      throttle: { perSecond: 2, burst: 2 },
    });
    accept(12);
    await clock.pass(0);
    expect(sent).toEqual(["123", "456"]);
    expect(lost).toEqual([]);
    accept(1);
    expect(lost).toEqual(["1: audit buffer queue blocked!"]);
    await clock.pass(500);
    expect(sent).toEqual(["123", "456", "789"]);
    await clock.pass(500);
    expect(sent).toEqual(["123", "456", "789", "101112"]);
    await sink.close();
  });

  it("are dropped when they and those that are being sent are longer than the buffer", async () => {
    const held = Promise.withResolvers<void>();
    const { sink, clock, lost, accept } = webhook("batch", { bufferBytes: 4, maxSize: 2 }, () => held.promise);
    accept(3);
    await clock.pass(5000);
    accept(2);
    expect(lost).toEqual(["1: audit buffer queue blocked!"]);
    held.resolve();
    await clock.pass(0);
    accept(1);
    await sink.close();
    expect(lost).toHaveLength(1);
  });

  it("are sent in batches that are not longer than the limit, but for a single event", async () => {
    const { sink, clock, sent, accept } = webhook("batch", { maxSize: 100, maxBatchBytes: 3 });
    accept(11);
    await clock.pass(0);
    expect(sent).toEqual(["123", "456", "789", "10"]);
    await sink.close();
    expect(sent).toEqual(["123", "456", "789", "10", "11"]);
  });

  it("delay the response in blocking modes; in blocking-strict mode a failure fails the request", async () => {
    for (const [mode, whenLost] of [
      ["blocking", true],
      ["blocking-strict", false],
    ] as const) {
      const { sent, lost, state, accept } = webhook(mode);
      expect(await accept()[0]).toBe(true);
      expect(sent).toEqual(["1"]);
      state.fails = true;
      expect(await accept()[0]).toBe(whenLost);
      expect(lost).toEqual(["1: gone"]);
    }
  });
});

describe("an audit webhook", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-audit-webhook-"));
  const bodies: { kind: string; apiVersion: string; items: Record<string, unknown>[] }[] = [];
  let server: HttpsServer;
  let failures = 0;
  let isSilent = false;
  let unanswered = 0;

  const file = (name: string, document: object) => {
    const path = join(directory, name);
    writeFileSync(path, stringify(document));
    return path;
  };

  beforeAll(async () => {
    server = await startHttps((incoming, outgoing) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk) => {
        text += chunk;
      });
      incoming.on("end", () => {
        if (isSilent) {
          unanswered += 1;
          return;
        }
        if (failures > 0) {
          failures -= 1;
          outgoing.writeHead(404).end();
          return;
        }
        bodies.push(JSON.parse(text));
        outgoing.end("thanks");
      });
    });
  });

  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  const start = (flags: Record<string, string>) =>
    startPlane({
      flags: {
        controllers: "false",
        "audit-policy-file": file("policy.yaml", {
          apiVersion: "audit.k8s.io/v1",
          kind: "Policy",
          omitStages: ["RequestReceived"],
          rules: [{ level: "Metadata", verbs: ["get"], resources: [{ resources: ["configmaps"] }] }, { level: "None" }],
        }),
        "audit-webhook-config-file": file("webhook.kubeconfig", {
          apiVersion: "v1",
          kind: "Config",
          clusters: [
            {
              name: "a",
              cluster: {
                server: `${server.url}/audit`,
                "certificate-authority-data": Buffer.from(server.authority).toString("base64"),
              },
            },
          ],
          contexts: [{ name: "a", context: { cluster: "a", user: "" } }],
          "current-context": "a",
        }),
        ...flags,
      },
    });

  it("receives lists of events, the remaining events at shutdown, and retries of failed ones", async () => {
    const plane = await start({ "audit-webhook-batch-max-size": "2" });
    const call = createClient(plane);
    failures = 1;
    for (const name of ["a", "b", "c"]) await call("GET", `/api/v1/namespaces/default/configmaps/${name}`);
    await plane.stop();
    const items = bodies.flatMap((body) => body.items);
    expect(bodies[0]).toMatchObject({ kind: "EventList", apiVersion: "audit.k8s.io/v1" });
    expect(items.map((item) => (item.objectRef as { name: string }).name).sort()).toEqual(["a", "b", "c"]);
    expect(items[0]).not.toHaveProperty("kind");
    expect(items[0]).toMatchObject({ level: "Metadata", stage: "ResponseComplete", verb: "get" });
  });

  it("does not keep the server from stopping when it does not respond", async () => {
    const began = performance.now();
    const plane = await start({ "audit-webhook-batch-max-size": "1" });
    isSilent = true;
    await createClient(plane)("GET", "/api/v1/namespaces/default/configmaps/a");
    await expect.poll(() => unanswered).toBe(1);
    await plane.stop();
    isSilent = false;
    expect(performance.now() - began).toBeLessThan(20_000);
  }, 30_000);

  it("fails requests whose events it cannot receive in blocking-strict mode", async () => {
    const policy = file("strict.yaml", {
      apiVersion: "audit.k8s.io/v1",
      kind: "Policy",
      rules: [{ level: "Metadata" }],
    });
    const plane = await start({
      "audit-policy-file": policy,
      "audit-webhook-mode": "blocking-strict",
      "audit-webhook-initial-backoff": "1ms",
    });
    const call = createClient(plane);
    bodies.length = 0;
    expect((await call("GET", "/api/v1/namespaces/default")).status).toBe(200);
    expect(bodies.length).toBeGreaterThanOrEqual(1);
    failures = 1000;
    expect((await call("GET", "/api/v1/namespaces/default")).status).toBe(500);
    failures = 0;
    const { text } = await call("GET", "/metrics");
    expect(Number(/^apiserver_audit_error_total\{plugin="webhook"\} (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(
      1,
    );
    await plane.stop();
  });
});

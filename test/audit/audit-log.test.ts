import { describe, expect, it } from "vitest";
import type { AuditBatches } from "../../runtime/audit/audit-batches.ts";
import { type AuditEvent, eventJson } from "../../runtime/audit/audit-event.ts";
import { AuditLog, type AuditLogMode } from "../../runtime/audit/audit-log.ts";
import { legacyLine } from "../../runtime/audit/legacy-line.ts";
import { formatMicros, microClock } from "../../runtime/audit/micro-clock.ts";
import { AuditedRequest } from "../../runtime/audit/request-trail.ts";
import { HandClock } from "../fixtures/hand-clock.ts";

const event: AuditEvent = {
  level: "Metadata",
  auditID: "a-1",
  stage: "ResponseComplete",
  requestURI: "/api/v1/namespaces/default/pods?limit=1",
  verb: "list",
  user: { name: "ann", groups: ["dev", "system:authenticated"] },
  sourceIPs: ["127.0.0.1"],
  userAgent: 'kubectl "x"',
  objectRef: {
    resource: "pods",
    namespace: "default",
    name: "",
    uid: "",
    apiGroup: "",
    apiVersion: "v1",
    resourceVersion: "",
    subresource: "",
  },
  responseStatus: { code: 200 },
  requestReceived: 1_580_702_706_789_120,
  stageTime: 1_580_702_706_790_000,
  annotations: new Map(),
};

/** Creates a log whose writes complete when the test says so. */
function slowLog(mode: AuditLogMode, batches: Partial<AuditBatches> = {}) {
  const writes: { text: string; end: (error?: Error) => void }[] = [];
  const lost: string[] = [];
  const clock = new HandClock();
  let number = 0;
  const log = new AuditLog({
    mode,
    format: () => `${(number += 1)}`,
    onLost: (events, why) => lost.push(`${events}: ${why}`),
    destination: {
      write: (text) =>
        new Promise<void>((resolve, reject) => {
          writes.push({ text, end: (error) => (error === undefined ? resolve() : reject(error)) });
        }),
      close: async () => undefined,
    },
    batches: { bufferSize: 10_000, bufferBytes: 1_000_000, maxSize: 1, maxWaitMs: 0, throttle: undefined, ...batches },
    clock,
  });
  const texts = () => writes.map(({ text }) => text);
  return { log, writes, texts, lost, clock };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the log of audit events", () => {
  it("writes events in order; events that arrive during a write are written together", async () => {
    const { log, writes } = slowLog("batch");
    expect(log.accept(event)).toBeUndefined();
    await turn();
    log.accept(event);
    log.accept(event);
    expect(writes.map(({ text }) => text)).toEqual(["1\n"]);
    writes[0]?.end();
    await turn();
    expect(writes.map(({ text }) => text)).toEqual(["1\n", "2\n3\n"]);
    writes[1]?.end();
    await log.close();
  });

  it("in batch mode waits for the events of a batch, but not for long", async () => {
    const { log, writes, texts, clock } = slowLog("batch", { maxSize: 2, maxWaitMs: 1000 });
    log.accept(event);
    await clock.move(900);
    expect(texts()).toEqual([]);
    log.accept(event);
    await turn();
    expect(texts()).toEqual(["1\n2\n"]);
    writes[0]?.end();
    await turn();
    log.accept(event);
    await clock.move(1000);
    expect(texts()).toEqual(["1\n2\n", "3\n"]);
    writes[1]?.end();
    await turn();
    log.accept(event);
    const closed = log.close();
    await turn();
    expect(texts()).toEqual(["1\n2\n", "3\n", "4\n"]);
    writes[2]?.end();
    await closed;
  });

  it("in batch mode writes no more often than its rate", async () => {
    const { log, writes, texts, clock } = slowLog("batch", { throttle: { perSecond: 1, burst: 1 } });
    log.accept(event);
    await turn();
    writes[0]?.end();
    await turn();
    log.accept(event);
    log.accept(event);
    await clock.move(900);
    expect(texts()).toEqual(["1\n"]);
    await clock.move(100);
    expect(texts()).toEqual(["1\n", "2\n3\n"]);
    writes[1]?.end();
    await log.close();
  });

  it("in batch mode drops events when its buffer is full", async () => {
    const { log, writes, lost } = slowLog("batch", { bufferSize: 2 });
    for (let index = 0; index < 5; index += 1) log.accept(event);
    await turn();
    writes[0]?.end();
    await log.close();
    expect(lost).toEqual(["3: audit buffer queue blocked"]);
    expect(writes.map(({ text }) => text)).toEqual(["1\n2\n"]);
  });

  it("in blocking mode delays the response until its event is written; a failed write does not fail the request", async () => {
    const { log, writes, lost } = slowLog("blocking");
    let written = false;
    const waiting = log.accept(event)?.then((is) => {
      written = is;
    });
    await turn();
    expect(written).toBe(false);
    writes[0]?.end(new Error("disk is full"));
    await waiting;
    expect(written).toBe(true);
    expect(lost).toEqual(["1: disk is full"]);
  });

  it("in blocking-strict mode reports a lost event and writes the next one", async () => {
    const { log, writes } = slowLog("blocking-strict");
    const first = log.accept(event);
    await turn();
    writes[0]?.end(new Error("disk is full"));
    expect(await first).toBe(false);
    const second = log.accept(event);
    await turn();
    writes[1]?.end();
    expect(await second).toBe(true);
  });
});

describe("a request that takes longer than half a second", () => {
  it.each([
    [500_000, undefined],
    [
      1_500_000,
      {
        "apiserver.latency.k8s.io/mutating-webhook": "700ms",
        "apiserver.latency.k8s.io/validating-webhook": "300.5ms",
        "apiserver.latency.k8s.io/total": "1.5s",
      },
    ],
  ])("has annotations about its duration: %i microseconds", (micros, expected) => {
    const events: AuditEvent[] = [];
    const { level: _level, stage: _stage, stageTime: _time, annotations: _annotations, ...facts } = event;
    const request = new AuditedRequest(
      facts,
      { level: "Metadata", omitStages: new Set(), omitManagedFields: false },
      {
        sink: { accept: (accepted) => void events.push({ ...accepted }) },
        micros: () => event.requestReceived + micros,
        latencyGroup: "apiserver.latency.k8s.io",
      },
    );
    request.spent("mutating-webhook", 300);
    request.spent("mutating-webhook", 400);
    request.spent("validating-webhook", 300.5);
    request.spent("validating-webhook", 20);
    request.completes(200, false);
    expect(JSON.parse(eventJson(events[0] as AuditEvent, "audit.k8s.io/v1")).annotations).toEqual(expected);
  });
});

describe("a request that fails with an unexpected error", () => {
  it("ends with an audit event of stage Panic", () => {
    const events: AuditEvent[] = [];
    const { level: _level, stage: _stage, stageTime: _time, annotations: _annotations, ...facts } = event;
    const request = new AuditedRequest(
      facts,
      { level: "Metadata", omitStages: new Set(), omitManagedFields: false },
      {
        sink: { accept: (accepted) => void events.push({ ...accepted }) },
        micros: () => event.stageTime,
        latencyGroup: "apiserver.latency.k8s.io",
      },
    );
    request.received();
    request.fails(new Error("no such thing"));
    request.completes(500, false);
    expect(events.map(({ stage }) => stage)).toEqual(["RequestReceived", "Panic"]);
    expect(JSON.parse(eventJson(events[1] as AuditEvent, "audit.k8s.io/v1")).responseStatus).toEqual({
      metadata: {},
      status: "Failure",
      message: "APIServer panic'd: no such thing",
      reason: "InternalError",
      code: 500,
    });
  });
});

describe("the legacy log format", () => {
  it("has the user, verb and resource", () => {
    expect(legacyLine(event)).toBe(
      '2020-02-03T04:05:06.78912Z AUDIT: id="a-1" stage="ResponseComplete" ip="127.0.0.1" method="list" user="ann" ' +
        'groups="\\"dev\\",\\"system:authenticated\\"" as="<self>" asgroups="<lookup>" user-agent="kubectl \\"x\\"" ' +
        'namespace="default" uri="/api/v1/namespaces/default/pods?limit=1" response="200"',
    );
  });
});

describe("time in microseconds", () => {
  it("has the precision of the monotonic clock and follows changes of the wall clock", () => {
    let wall = 1_580_702_706_789;
    let fine = 10;
    const micros = microClock(
      () => wall,
      () => fine,
    );
    fine += 0.123;
    expect(formatMicros(micros())).toBe("2020-02-03T04:05:06.789123Z");
    wall += 60_000;
    expect(formatMicros(micros())).toBe("2020-02-03T04:06:06.789000Z");
  });
});

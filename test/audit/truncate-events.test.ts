import { expect, it } from "vitest";
import type { AuditEvent } from "../../runtime/audit/audit-event.ts";
import { truncateEvents } from "../../runtime/audit/truncate-events.ts";

const event: AuditEvent = {
  level: "RequestResponse",
  auditID: "a-1",
  stage: "ResponseComplete",
  requestURI: "/api/v1/namespaces/default/pods",
  verb: "create",
  user: undefined,
  sourceIPs: [],
  userAgent: "",
  requestObject: '{"a":1}',
  responseObject: '{"b":1}',
  requestReceived: 0,
  stageTime: 0,
  annotations: new Map([["a", "b"]]),
};

/** Returns the events that a sink with a limit of 100 bytes per event receives, and the number of lost ones. */
function accepted({ level, bytes }: { readonly level: AuditEvent["level"]; readonly bytes: number }) {
  const events: AuditEvent[] = [];
  let lost = 0;
  const sink = truncateEvents(
    { accept: (one) => void events.push(one) },
    {
      maxEventBytes: 100,
      sizeOf: ({ requestObject, responseObject }) =>
        bytes + (requestObject ?? "").length + (responseObject ?? "").length,
      annotation: "audit.k8s.io/truncated",
      onLost: () => {
        lost += 1;
      },
    },
  );
  expect(sink.accept({ ...event, level })).toBeUndefined();
  return { events, lost };
}

it("leaves events alone that are not too large", () => {
  expect(accepted({ level: "RequestResponse", bytes: 86 })).toEqual({ events: [event], lost: 0 });
});

it("removes the objects of larger events, and says so in an annotation", () => {
  const { requestObject: _request, responseObject: _response, ...rest } = event;
  const annotations = new Map([
    ["a", "b"],
    ["audit.k8s.io/truncated", "true"],
  ]);
  for (const level of ["RequestResponse", "Request"] as const)
    expect(accepted({ level, bytes: 87 })).toEqual({ events: [{ ...rest, level, annotations }], lost: 0 });
  expect([...event.annotations.keys()]).toEqual(["a"]);
});

it("drops events that are still too large, and large ones without objects", () => {
  expect(accepted({ level: "RequestResponse", bytes: 101 })).toEqual({ events: [], lost: 1 });
  expect(accepted({ level: "Metadata", bytes: 101 })).toEqual({ events: [], lost: 1 });
});

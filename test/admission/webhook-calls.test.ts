import { describe, expect, it } from "vitest";
import { Reinvocation } from "../../runtime/admission/reinvocation.ts";
import { readResponse } from "../../runtime/admission/webhooks/admission-review.ts";
import { type CallParts, callWebhook } from "../../runtime/admission/webhooks/call-webhook.ts";
import { checkReviewTypes } from "../../runtime/admission/webhooks/check-review-types.ts";
import { serviceAddress } from "../../runtime/admission/webhooks/service-address.ts";
import { webhookRefusal } from "../../runtime/admission/webhooks/webhook-refusal.ts";
import type { Status } from "../../runtime/contract/status.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { admissionRequest, naming } from "./admission-requests.ts";

const seen = { object: null, oldObject: null, request: {} };
const objects = new InMemoryObjects();
const parts: CallParts = { naming, reader: objects, newUid: () => "uid" };

describe("a webhook", () => {
  it("with side effects is not called for a dry run, whatever its failure policy says", async () => {
    const webhook = { name: "w", clientConfig: { url: "https://127.0.0.1:9" }, failurePolicy: "Ignore" };
    const request = admissionRequest("/configmaps", {}, { dryRun: true });
    await expect(callWebhook({ ...webhook, sideEffects: "Some" }, request, seen, false, parts)).rejects.toMatchObject({
      status: { code: 400, message: 'admission webhook "w" does not support dry run' },
    });
    await expect(callWebhook(webhook, request, seen, false, parts)).rejects.toMatchObject({
      code: "webhook-call",
      message: 'failed calling webhook "w": Webhook SideEffects is nil',
    });
  });

  it("must support a version of AdmissionReview that the server supports", async () => {
    const webhook = { name: "w", clientConfig: { url: "https://127.0.0.1:9" }, admissionReviewVersions: ["v3"] };
    await expect(callWebhook(webhook, admissionRequest("/pods", {}), seen, false, parts)).rejects.toThrow(
      'failed calling webhook "w": could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  });
});

describe("a response of a webhook", () => {
  const sent = { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request: {} } as const;
  const read =
    (response: object, mutating = true, about: { kind?: string; apiVersion?: string } = sent) =>
    () =>
      readResponse({ ...about, response: { uid: "u", ...response } }, sent, "u", mutating);

  it("must be a review of the same version, with a patch and its type or neither", () => {
    expect(read({}, true, { kind: "AdmissionReview", apiVersion: "v1" })).toThrow(
      "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /v1, Kind=AdmissionReview",
    );
    expect(read({ patch: "W10=" })).toThrow("webhook returned response.patch but not response.patchType");
    expect(read({ patchType: "JSONPatch" })).toThrow("webhook returned response.patchType but not response.patch");
    expect(read({ patch: "W10=", patchType: "" })).toThrow('webhook returned invalid response.patchType of ""');
    expect(read({ patchType: "JSONPatch" }, false)).toThrow("validating webhook may not return response.patchType");
  });

  it("with a field of the wrong type is rejected with the name of its struct", () => {
    for (const [response, message] of [
      [{ warnings: "w" }, "string into Go struct field AdmissionResponse.response.warnings of type []string"],
      [{ status: { code: "x" } }, "string into Go struct field Status.response.status.code of type int32"],
    ] as const)
      expect(() => checkReviewTypes({ response })).toThrow(`json: cannot unmarshal ${message}`);
  });

  it("of version v1beta1 is accepted without apiVersion and uid", () => {
    const old = { ...sent, apiVersion: "admission.k8s.io/v1beta1" };
    expect(readResponse({ response: { allowed: true, patch: "W10=" } }, old, "u", true)).toMatchObject({
      allowed: true,
      patch: "[]",
      patchType: "JSONPatch",
    });
  });
});

describe("the refusal of a webhook", () => {
  it("has the fields of a Status in their order, and no others", () => {
    const cause = { field: "spec", other: 1, message: "m" };
    const details = { uid: "u", retryAfterSeconds: 0, kind: "Pod", name: "p", causes: [cause], other: {} };
    const given = { code: 403, reason: "Forbidden", details, metadata: { other: 1, resourceVersion: "5" }, other: 1 };
    const { status } = webhookRefusal("w", given as Partial<Status>);
    expect(JSON.stringify(status)).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{"resourceVersion":"5"},"status":"Failure","message":"admission webhook \\"w\\" denied the request: Forbidden","reason":"Forbidden","details":{"name":"p","kind":"Pod","uid":"u","causes":[{"message":"m","field":"spec"}]},"code":403}',
    );
  });
});

describe("the address of a service", () => {
  const services = { group: "", resource: "services" };
  const service = (name: string, spec: object) =>
    objects.seed(services, { metadata: { name, namespace: "default" }, spec });

  it("is its cluster IP, or the external name of an ExternalName service", async () => {
    await service("plain", { clusterIP: "10.0.0.9", ports: [{ port: 443 }] });
    await service("elsewhere", { type: "ExternalName", externalName: "example.com" });
    await service("headless", { clusterIP: "None", ports: [{ port: 443 }] });
    const addressOf = (name: string, port = 443) =>
      serviceAddress({ namespace: "default", name, port }, { reader: objects });
    expect(await addressOf("plain")).toEqual({ host: "10.0.0.9", port: 443 });
    expect(await addressOf("elsewhere", 8443)).toEqual({ host: "example.com", port: 8443 });
    await expect(addressOf("plain", 80)).rejects.toThrow('no service port 80 found for service "plain"');
    await expect(addressOf("headless")).rejects.toThrow('cannot route to service with ClusterIP "None"');
    await expect(addressOf("missing")).rejects.toThrow('service "missing" not found');
  });

  it("is one of its endpoints with --enable-aggregator-routing, also for a headless service", async () => {
    await service("routed", { clusterIP: "None", ports: [{ name: "hooks", port: 443 }] });
    const addressOf = (name: string) =>
      serviceAddress({ namespace: "default", name, port: 443 }, { reader: objects, toEndpoints: true });
    await expect(addressOf("routed")).rejects.toThrow('endpoints "routed" not found');
    const subsets = [{ addresses: [{ ip: "10.1.1.1" }], ports: [{ name: "hooks", port: 9443 }] }];
    await objects.seed(
      { group: "", resource: "endpoints" },
      { metadata: { name: "routed", namespace: "default" }, subsets },
    );
    expect(await addressOf("routed")).toEqual({ host: "10.1.1.1", port: 9443 });
    await expect(addressOf("missing")).rejects.toThrow('service "missing" not found');
  });
});

describe("reinvocation of mutating webhooks", () => {
  it("calls webhooks with IfNeeded that were called before a later change", () => {
    const memory = new Map<string, unknown>();
    let asked = false;
    const round = (number: number) => ({ number, memory, repeat: () => void (asked = true) });
    const before = { metadata: { name: "a" } };
    const first = Reinvocation.of(round(0), "p", before);
    expect(first.isDue("one")).toBe(true);
    first.invoked("one");
    first.changed();
    first.invoked("two");
    first.finish({ metadata: { name: "b" } });
    expect(asked).toBe(true);
    const second = Reinvocation.of(round(1), "p", { metadata: { name: "b" } });
    expect(["one", "two", "three"].map((id) => second.isDue(id))).toEqual([true, false, false]);
    const changedBetween = Reinvocation.of(round(1), "p", { metadata: { name: "c" } });
    expect(changedBetween.isDue("two")).toBe(true);
  });
});

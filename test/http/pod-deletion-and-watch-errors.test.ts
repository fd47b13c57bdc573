import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ "disable-admission-plugins": "ServiceAccount", "feature-gates": "WatchList=false" });

const PODS = "/api/v1/namespaces/default/pods";

interface Event {
  readonly type: string;
  readonly object: { readonly metadata: Record<string, unknown> };
}

describe("deleting a pod with gracePeriodSeconds 0", () => {
  it("sends a MODIFIED event with deletionTimestamp before the DELETED event", async () => {
    const spec = { containers: [{ name: "c", image: "i" }] };
    const { body } = await call("POST", PODS, { body: { metadata: { name: "short" }, spec } });
    const since = body.metadata.resourceVersion as string;
    const deleted = await call("DELETE", `${PODS}/short`, { body: { gracePeriodSeconds: 0 } });
    const { text } = await call("GET", `${PODS}?watch=1&timeoutSeconds=1&resourceVersion=${since}`);
    const events = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Event);
    const ending = { deletionGracePeriodSeconds: 0, deletionTimestamp: expect.any(String), generation: 2 };
    expect(events.map(({ type }) => type)).toEqual(["MODIFIED", "DELETED"]);
    for (const { object } of events) expect(object.metadata).toMatchObject(ending);
    expect(deleted.body.metadata.resourceVersion).toBe(events[1]?.object.metadata.resourceVersion);
  });

  it("does not change the pod in a dry run", async () => {
    const spec = { containers: [{ name: "c", image: "i" }] };
    const { body } = await call("POST", PODS, { body: { metadata: { name: "kept" }, spec } });
    await call("DELETE", `${PODS}/kept?dryRun=All&gracePeriodSeconds=0`);
    expect((await call("GET", `${PODS}/kept`)).body.metadata).toEqual(body.metadata);
  });
});

describe("an invalid watch request", () => {
  it("gets 406 with the accepted media types for YAML", async () => {
    const headers = { Accept: "application/yaml;stream=watch" };
    const { body } = await call("GET", `${PODS}?watch=1&timeoutSeconds=1`, { headers });
    expect(body.message).toBe(
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
  });

  it("gets 404 for a subresource", async () => {
    const path = "/apis/apps/v1/watch/namespaces/default/deployments/x/scale";
    expect((await call("GET", path)).body).toMatchObject({ code: 404, reason: "NotFound" });
  });

  it("gets 400 if the path names an object that the field selector does not select", async () => {
    const watch = async (selector: string) =>
      call("GET", `/api/v1/watch/namespaces/default/configmaps/a?timeoutSeconds=1&fieldSelector=${selector}`);
    for (const selector of ["metadata.name%3Db", "metadata.name!%3Db", "metadata.namespace%3Ddefault"]) {
      const { status, body } = await watch(selector);
      expect([status, body?.message]).toEqual([400, "fieldSelector metadata.name doesn't match requested name"]);
    }
    for (const selector of ["", "metadata.namespace%3Ddefault,metadata.name%3Da"])
      expect((await watch(selector)).status).toBe(200);
  });

  it("gets all validation errors of sendInitialEvents and continue", async () => {
    const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x";
    const { body } = await call("GET", `${PODS}?${query}`);
    const causes = body.details.causes as { message: string }[];
    expect(causes.map(({ message }) => message)).toEqual([
      "Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
      "Forbidden: resourceVersionMatch is forbidden when continue is provided",
    ]);
  });
});

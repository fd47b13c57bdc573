import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { type BootstrapParts, restoreCluster } from "../../runtime/controllers/bootstrap/bootstrap-cluster.ts";
import { startPlane } from "../../runtime/plane.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { naming } from "../controllers/controller-parts.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { createClient } from "../fixtures/plane-client.ts";

const GROUP = "flowcontrol.apiserver.k8s.io";
const UPDATED = "apf.kubernetes.io/autoupdate-spec";
const LEVELS = { group: GROUP, resource: "prioritylevelconfigurations" };
const SCHEMAS = { group: GROUP, resource: "flowschemas" };
const { authority } = createAuthority("clients");

describe("the default FlowSchemas and priority levels", () => {
  const start = async () => {
    const objects = new InMemoryObjects();
    const parts: BootstrapParts = {
      naming,
      reader: objects,
      writer: objects,
      now: () => new Date("2026-01-01T00:00:00Z"),
      serviceRanges: [],
      securePort: 6443,
      serves: ({ group }) => group === GROUP,
      groupVersions: [],
      trust: () => ({ clientAuthorityPem: authority }),
    };
    await restoreCluster(parts);
    const change = async (resource: typeof LEVELS, name: string, changed: (object: ApiObject) => ApiObject) => {
      const stored = await objects.get(resource, "", name);
      if (stored === undefined) throw new Error(`no ${name}`);
      await objects.update(resource, changed(stored));
      await restoreCluster(parts);
      return objects.get(resource, "", name);
    };
    return { objects, parts, change };
  };
  const precedence = (object: ApiObject | undefined) =>
    (object?.spec as { matchingPrecedence?: number } | undefined)?.matchingPrecedence;
  const annotated =
    (value: string, generation = 2) =>
    (object: ApiObject): ApiObject => ({
      ...object,
      metadata: { ...object.metadata, generation, annotations: { [UPDATED]: value } },
      spec: { ...(object.spec as object), matchingPrecedence: 7777 },
    });

  it("are restored while their annotation says so", async () => {
    const { change } = await start();
    expect(precedence(await change(SCHEMAS, "service-accounts", annotated("true")))).toBe(9000);
  });

  it("are left to administrators whose annotation is false", async () => {
    const { change } = await start();
    expect(precedence(await change(SCHEMAS, "service-accounts", annotated("false")))).toBe(7777);
  });

  it("without a readable annotation are restored unless they were changed, and then annotated", async () => {
    const { change } = await start();
    const kept = await change(SCHEMAS, "service-accounts", annotated("perhaps"));
    expect([precedence(kept), kept?.metadata.annotations]).toEqual([7777, { [UPDATED]: "false" }]);
    const restored = await change(SCHEMAS, "global-default", annotated("", 1));
    expect([precedence(restored), restored?.metadata.annotations]).toEqual([9900, { [UPDATED]: "true" }]);
  });

  it("that are mandatory are always restored; only the shares of the exempt level may be chosen", async () => {
    const { change } = await start();
    expect(precedence(await change(SCHEMAS, "catch-all", annotated("false")))).toBe(10_000);
    const shares = { nominalConcurrencyShares: 10, lendablePercent: 50 };
    const exempt = await change(LEVELS, "exempt", (object) => ({
      ...object,
      spec: { type: "Exempt", exempt: shares },
    }));
    expect(exempt?.spec).toEqual({ type: "Exempt", exempt: shares });
  });

  it("of former releases are deleted, those of administrators are not", async () => {
    const { objects, parts } = await start();
    const create = (name: string, annotations: Record<string, string>) =>
      objects.create(SCHEMAS, {
        apiVersion: `${GROUP}/v1`,
        kind: "FlowSchema",
        metadata: { name, annotations },
        spec: {},
      });
    await create("former", { [UPDATED]: "true" });
    await create("kept", { [UPDATED]: "false" });
    await create("own", {});
    await restoreCluster(parts);
    const names = (await objects.list(SCHEMAS)).map(({ metadata }) => metadata.name);
    expect(names).not.toContain("former");
    expect(names).toEqual(expect.arrayContaining(["kept", "own", "exempt", "catch-all"]));
  });
});

describe("a server that starts again", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-fairness-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("writes no FlowSchema and no priority level that is as it should be", async () => {
    const versions = async (): Promise<Record<string, string>> => {
      const plane = await startPlane({ directory, flags: { controllers: "false" } });
      try {
        await plane.ready;
        const call = createClient(plane);
        const lists = await Promise.all(
          [SCHEMAS, LEVELS].map(({ resource }) => call("GET", `/apis/${GROUP}/v1/${resource}`)),
        );
        const items: ApiObject[] = lists.flatMap(({ body }) => body.items);
        return Object.fromEntries(items.map(({ metadata }) => [metadata.uid, metadata.resourceVersion ?? ""]));
      } finally {
        await plane.stop();
      }
    };
    const first = await versions();
    expect(Object.keys(first)).toHaveLength(21);
    expect(await versions()).toEqual(first);
  });
});

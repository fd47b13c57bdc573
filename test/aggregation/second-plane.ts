import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { availability, register } from "./extension-server.ts";

type Call = ReturnType<typeof createClient>;

export const GROUP = "shop.example.com";

/** A plane, and a second one that serves a group of the first and trusts it like any extension server. */
export interface TwoPlanes {
  readonly first: () => { readonly plane: Plane; readonly call: Call };
  readonly second: () => { readonly plane: Plane; readonly call: Call };
  readonly directory: string;
}

export function serveTwoPlanes(): TwoPlanes {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-two-"));
  const planes: { plane: Plane; call: Call }[] = [];
  const start = async (flags: Readonly<Record<string, string>>): Promise<Call> => {
    const plane = await startPlane({ flags: { controllers: "false", ...flags } });
    await plane.ready;
    const call = createClient(plane);
    planes.push({ plane, call });
    return call;
  };
  const file = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  beforeAll(async () => {
    const call = await start({});
    const { body } = await call("GET", "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication");
    const trust = (key: string): string => (JSON.parse(body.data[`requestheader-${key}`]) as string[]).join(",");
    const { authority, issue } = createAuthority("extensions");
    const serving = issue("ext", "server", { names: ["ext.default.svc", "127.0.0.1"] });
    await start({
      "requestheader-client-ca-file": file("proxies.crt", body.data["requestheader-client-ca-file"]),
      "requestheader-allowed-names": trust("allowed-names"),
      "requestheader-username-headers": trust("username-headers"),
      "requestheader-uid-headers": trust("uid-headers"),
      "requestheader-group-headers": trust("group-headers"),
      "requestheader-extra-headers-prefix": trust("extra-headers-prefix"),
      "tls-cert-file": file("serving.crt", serving.cert),
      "tls-private-key-file": file("serving.key", serving.key),
    });
    const second = planes[1]!;
    Object.assign(second, {
      call: createClient({ ...second.plane, client: { ...second.plane.client, certificateAuthority: authority } }),
    });
    await define(second.call);
    const port = Number(new URL(second.plane.client.server).port);
    await availability(
      call,
      await register(call, { group: GROUP, port, authority, groupPriority: 50, versionPriority: 5 }),
      "Passed",
    );
  });
  afterAll(async () => {
    for (const { plane } of planes) await plane.stop();
    rmSync(directory, { recursive: true });
  });
  return { first: () => planes[0]!, second: () => planes[1]!, directory };
}

/** Defines a custom kind, whose group is that of the second plane. */
async function define(call: Call): Promise<void> {
  const schema = {
    type: "object",
    properties: {
      spec: { type: "object", properties: { price: { type: "integer", description: "What it costs." } } },
    },
  };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const names = { plural: "goods", singular: "good", kind: "Good", shortNames: ["gd"] };
  const body = {
    metadata: { name: `goods.${GROUP}` },
    spec: { group: GROUP, scope: "Namespaced", names, versions: [version] },
  };
  const created = await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body });
  if (created.status !== 201) throw new Error(created.text);
  while ((await call("GET", `/apis/${GROUP}/v1/goods`)).status !== 200) await new Promise((r) => setTimeout(r, 20));
}

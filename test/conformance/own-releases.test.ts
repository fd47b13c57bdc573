import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProjectCopy } from "../tools/project-copy.ts";
import { ServerProcess } from "../tools/server-process.ts";
import { findTool } from "../tools/tools.ts";

const CONFIG = `import { defineConfig } from "./api-definitions/vocabulary.ts";
export default defineConfig({
  name: "acme",
  title: "Acme Platform",
  domain: "acme.example",
  release: "2.3",
  releases: {
    "2.2": { kubernetes: "1.32" },
    "2.3": { kubernetes: "1.33", date: "2026-03-01" },
    "3.0": { kubernetes: "1.34" },
  },
});
`;
const GROUP = `import { group } from "../vocabulary.ts";
export const fleet = group({ name: "fleet.<domain>", versions: ["v1", "v1beta1", "v1alpha1"] });
`;
const truck = (life: string) => `import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Immutable, type Int32, kind, type ListMap, type Quantity } from "../../vocabulary.ts";

/** A truck of the fleet. */
export interface Truck extends Namespaced {
  /** Desired state of the truck. */
  spec: TruckSpec;
}

/** What the truck is like. */
export interface TruckSpec {
  /** Number of seats in the cabin. */
  seats?: Int32;
  /** Load that it may carry. */
  load?: Quantity;
  /** Wheels that it has. */
  wheels?: ListMap<Wheel, "name">;
  /** Wheel that it steers with. */
  steering?: Wheel & Immutable;
}

/** One wheel of the truck. */
export interface Wheel {
  /** Name of the wheel, front or rear. */
  name: string;
}

export const truck = kind<Truck>({ plural: "trucks", ${life} });
`;

describe("a project with a calendar of its own", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-own-releases-"));
  let project: ProjectCopy;
  let server: ServerProcess;
  let generated = "";

  beforeAll(async () => {
    project = new ProjectCopy();
    project.write("typeplane.config.ts", CONFIG);
    project.write("api-definitions/fleet/group.ts", GROUP);
    project.write("api-definitions/fleet/v1/truck.ts", truck('introduced: "3.0"'));
    const old = 'introduced: "2.2", deprecated: "2.3", removed: "3.0", replacement: "fleet.<domain>/v1 Truck"';
    project.write("api-definitions/fleet/v1beta1/truck.ts", truck(old));
    project.write("api-definitions/fleet/v1alpha1/truck.ts", truck("offByDefault: true"));
    generated = project.generate();
    server = await ServerProcess.started({ directory, flags: ["--controllers=false"], launcher: project.launcher });
  });

  afterAll(async () => {
    await server?.stop();
    project?.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  const get = async (path: string) => {
    const { status, body, headers } = await server.client.request("GET", path);
    return { status, body: body as Record<string, unknown>, headers };
  };

  it("is told by the generator and by the server at the start which kinds are not served, and why", () => {
    expect(generated).toContain(
      "not served by default: fleet.acme.example/v1 Truck is served from release 3.0; the current release is 2.3",
    );
    expect(generated).toContain(
      "fleet.acme.example/v1alpha1 Truck is off by default; --runtime-config=fleet.acme.example/v1alpha1=true turns it on",
    );
    expect(server.log).toContain(
      "not served: fleet.acme.example/v1 Truck is served from release 3.0; this server serves release 2.3. " +
        "fleet.acme.example/v1alpha1 Truck is off by default; turn it on with --runtime-config=fleet.acme.example/v1alpha1=true",
    );
  });

  it("explains a kind that is not served in the 404 of its path", async () => {
    for (const path of ["/apis/fleet.acme.example/v1alpha1/trucks", "/apis/fleet.acme.example/v1alpha1"])
      expect(await get(path)).toMatchObject({
        status: 404,
        body: {
          reason: "NotFound",
          message:
            "fleet.acme.example/v1alpha1 Truck is off by default; turn it on with --runtime-config=fleet.acme.example/v1alpha1=true",
        },
      });
    expect((await get("/apis/fleet.acme.example/v1/namespaces/default/trucks/one")).body.message).toBe(
      "fleet.acme.example/v1 Truck is served from release 3.0; this server serves release 2.3",
    );
    // Kinds of Kubernetes keep Kubernetes' words.
    expect((await get("/apis/batch/v1beta1/cronjobs")).body.message).toBe(
      "the server could not find the requested resource",
    );
  });

  it("warns of its deprecated versions with its own numbers, and names no replacement that the release does not have", async () => {
    const { status, headers } = await get("/apis/fleet.acme.example/v1beta1/trucks");
    expect(status).toBe(200);
    expect(String(headers.warning)).toContain(
      '"fleet.acme.example/v1beta1 Truck is deprecated in v2.3+, unavailable in v3.0+"',
    );
  });

  it("is the title and the version of the OpenAPI documents", async () => {
    const { body } = await get("/openapi/v3/apis/fleet.acme.example/v1beta1");
    expect(body.info).toEqual({ title: "Acme Platform", version: "2.3" });
  });

  it("hears of fields and expected types, not of Go structs", async () => {
    const truckOf = (spec: object) => ({
      apiVersion: "fleet.acme.example/v1beta1",
      kind: "Truck",
      metadata: { name: "one" },
      spec,
    });
    const path = "/apis/fleet.acme.example/v1beta1/namespaces/default/trucks";
    const send = async (method: string, target: string, body: object, type?: string) =>
      ((await server.client.request(method, target, body, type)).body as { message: string }).message;
    const create = (spec: object) => send("POST", path, truckOf(spec));
    expect(await create({ seats: "two" })).toContain("spec.seats: expected an integer, got a string");
    expect(await create({ load: "heavy" })).toContain(
      'spec.load: expected a quantity such as 500m or 2Gi, got "heavy"',
    );
    expect(await send("POST", path, [truckOf({})])).toBe(
      "the body is not of kind Truck: expected an object, got a list",
    );
    expect(await send("POST", path, { ...truckOf({}), kind: 7 })).toBe(
      "the body is not of kind Truck: kind: expected a string, got 7",
    );
    expect(await send("POST", path, { ...truckOf({}), kind: "Van" })).toBe(
      "expected apiVersion fleet.acme.example/v1beta1 and kind Truck, got fleet.acme.example/v1beta1 and Van",
    );
    const twice = [{ name: "front" }, { name: "front" }];
    expect(await create({ wheels: twice })).toContain('spec.wheels[1]: Duplicate value: {"name":"front"}');
    expect(await create({ steering: { name: "front" } })).toBeUndefined();
    const changed = truckOf({ steering: { name: "rear" } });
    expect(await send("PUT", `${path}/one`, changed)).toContain(
      'spec.steering: Invalid value: {"name":"rear"}: field is immutable',
    );
    const patch = (body: object, kind: string) => send("PATCH", `${path}/one`, body, `application/${kind}+json`);
    expect(await patch({ op: "add" }, "json-patch")).toBe(
      "the patch cannot be read: expected a list of operations, got an object",
    );
    expect(await patch([{ op: "add", path: 7 }], "json-patch")).toBe(
      "the patch cannot be read: [0].path: expected a string, got 7",
    );
    expect(await patch([], "merge-patch")).toBe("the patch cannot be read: expected an object, got a list");
    for (const kind of ["merge-patch", "strategic-merge-patch"])
      expect(await patch({ spec: { seats: "two" } }, kind)).toBe(
        'Truck.fleet.acme.example "one" is invalid: spec.seats: expected an integer, got a string',
      );
  });

  it("tells kubectl the Kubernetes version it is built on, with its own release as build metadata", async () => {
    expect(await get("/version")).toMatchObject({
      body: { major: "1", minor: "33", gitVersion: "v1.33.0+acme.2.3", buildDate: "2026-03-01T00:00:00Z" },
    });
    const kubectl = findTool("kubectl");
    if (kubectl === undefined) return;
    const run = (...args: string[]): string =>
      execFileSync(kubectl, ["--kubeconfig", server.kubeconfig, ...args], { encoding: "utf8" });
    expect(run("version")).toContain("Server Version: v1.33.0+acme.2.3");
  });

  it("refuses releases of other calendars", () => {
    const serve = () =>
      execFileSync(process.execPath, [project.launcher, "serve", "--data-dir=memory", "--release=1.33"], {
        cwd: directory,
        encoding: "utf8",
        stdio: "pipe",
      });
    expect(serve).toThrow("release 1.33 is unknown: acme has the releases 2.2, 2.3, 3.0");
  });
});

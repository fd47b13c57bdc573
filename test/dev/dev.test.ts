import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Parsed } from "../fixtures/plane-client.ts";

const PACKAGE = join(import.meta.dirname, "../..");
const TOKEN = "developer";
const TRUCK = "api-definitions/fleet/v1/truck.ts";
const HOOKS = "api-definitions/fleet/v1/truck.hooks.ts";
const TRUCKS = "/apis/fleet.example.com/v1/namespaces/default/trucks";

const truckFile = (fields: string) => `import type { Namespaced } from "typeplane/meta/v1";
import { type Int32, kind, type MaxLength } from "typeplane/vocabulary";

/** A truck of the fleet. */
export interface Truck extends Namespaced {
  /** Desired state of the truck. */
  spec: TruckSpec;
}

/** What the truck is like. */
export interface TruckSpec {
  /** Number of seats in the cabin. */
  seats?: Int32;
${fields}}

/** What is painted on a registration plate. */
export type Plate = string & MaxLength<8>;

export const truck = kind<Truck>({ plural: "trucks" });
`;
const COLOUR = "  /** Colour of the cabin. */\n  colour?: string;\n";
const hooksFile = (message: string) => `import { invalidField, kindHooks } from "typeplane/hooks";
import type { Truck } from "./truck.ts";

export const hooks = kindHooks<Truck>({
  validate: ({ spec }) => (spec.seats === 13 ? [invalidField("spec.seats", spec.seats, "${message}")] : []),
});
`;

/** A project with the package among its dependencies, in which `typeplane dev` runs. */
class DevProject {
  readonly directory = mkdtempSync(join(tmpdir(), "typeplane-dev-"));
  #child: ChildProcess | undefined;
  #url = "";
  #printed = "";
  /** All requests share one connection. */
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.directory, path)), { recursive: true });
    writeFileSync(join(this.directory, path), text);
  }

  async start(): Promise<void> {
    mkdirSync(join(this.directory, "node_modules"));
    symlinkSync(PACKAGE, join(this.directory, "node_modules/typeplane"));
    const known = ".cache/definitions.bin";
    if (existsSync(join(PACKAGE, known))) cpSync(join(PACKAGE, known), join(this.directory, known));
    const flags = { "secure-port": "0", "data-dir": "memory", "cert-dir": "memory", "token-auth-file": "tokens.csv" };
    this.#child = spawn(
      process.execPath,
      [
        "--disable-warning=ExperimentalWarning",
        join(PACKAGE, "bin/typeplane.js"),
        "dev",
        ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
      ],
      { cwd: this.directory, stdio: ["ignore", "pipe", "pipe"] },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#printed += text;
      });
    this.#url = (await this.prints(/serving on (https:\/\/[^"\s]+)/))[1] as string;
    await this.prints(/watching api-definitions/);
  }

  /** Waits until it has printed this since the last call. Discards the output until then. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = Date.now() + 240_000;
    for (;;) {
      const found = pattern.exec(this.#printed);
      if (found !== null) {
        this.#printed = this.#printed.slice(found.index + found[0].length);
        return found;
      }
      if (this.#child?.exitCode !== null || Date.now() > deadline)
        throw new Error(`did not print ${pattern}, but: ${this.#printed}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** `reused`: whether the connection was open before. */
  send(method: string, path: string, body?: object): Promise<{ status: number; body: Parsed; reused: boolean }> {
    return new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const headers = { authorization: `Bearer ${TOKEN}`, ...(text && { "content-type": type }) };
      const call = request(`${this.#url}${path}`, { method, agent: this.#agent, headers }, (response) => {
        let read = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          read += chunk;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(read), reused: call.reusedSocket }),
        );
      });
      call.on("error", reject);
      call.end(text);
    });
  }

  /** The events of a watch as they arrive. */
  watch(path: string): { readonly events: Parsed[]; readonly ended: () => boolean; stop(): void } {
    const events: Parsed[] = [];
    let ended = false;
    const headers = { authorization: `Bearer ${TOKEN}` };
    const call = request(`${this.#url}${path}?watch=true`, { headers, rejectUnauthorized: false }, (response) => {
      let rest = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const lines = `${rest}${chunk}`.split("\n");
        rest = lines.pop() as string;
        events.push(...lines.map((line) => JSON.parse(line)));
      });
      response.on("close", () => {
        ended = true;
      });
    });
    call.on("error", () => undefined);
    call.end();
    return { events, ended: () => ended, stop: () => call.destroy() };
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    if (this.#child !== undefined && this.#child.exitCode === null) {
      this.#child.kill("SIGTERM");
      await once(this.#child, "exit");
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

describe("typeplane dev", () => {
  const project = new DevProject();
  beforeAll(async () => {
    project.write("package.json", '{ "name": "fleet", "type": "module" }');
    project.write("tokens.csv", `${TOKEN},developer,1,"system:masters"\n`);
    project.write(
      "typeplane.config.ts",
      `import { defineConfig } from "typeplane/vocabulary";
export default defineConfig({ name: "fleet", domain: "example.com", base: "core" });
`,
    );
    project.write(
      "api-definitions/fleet/group.ts",
      `import { group } from "typeplane/vocabulary";
export const fleet = group({ name: "fleet.<domain>", versions: ["v1"] });
`,
    );
    project.write(TRUCK, truckFile(""));
    await project.start();
  });
  afterAll(() => project.stop());

  it("serves a new field over a connection that is open, keeps objects, and goes on with an open watch", async () => {
    const red = { apiVersion: "fleet.example.com/v1", kind: "Truck", metadata: { name: "red" }, spec: { seats: 2 } };
    expect((await project.send("POST", TRUCKS, red)).status).toBe(201);
    const watch = project.watch(TRUCKS);
    await expect.poll(() => watch.events.length, { timeout: 120_000 }).toBe(1);
    const patch = { spec: { colour: "blue" } };
    expect((await project.send("PATCH", `${TRUCKS}/red`, patch)).body.spec).toEqual({ seats: 2 });

    project.write(TRUCK, truckFile(COLOUR));
    await project.prints(/now served: fleet\.example\.com\/v1 Truck \(\d+ ms\)/);
    const { body, reused } = await project.send("PATCH", `${TRUCKS}/red`, patch);
    expect(body.spec).toEqual({ seats: 2, colour: "blue" });
    expect(reused).toBe(true);
    await expect.poll(() => watch.events.length, { timeout: 120_000 }).toBe(2);
    expect(watch.events[1]).toMatchObject({ type: "MODIFIED", object: { spec: { seats: 2, colour: "blue" } } });
    expect(watch.ended()).toBe(false);
    watch.stop();
    const document = await project.send("GET", "/openapi/v3/apis/fleet.example.com/v1");
    expect(JSON.stringify(document.body)).toContain("Colour of the cabin.");
  });

  it("prints errors with their place and lines, keeps serving, and says when they are mended", async () => {
    project.write(TRUCK, truckFile("  /** Colour of the cabin. */\n  colour?: Strng;\n"));
    await project.prints(/truck\.ts:15:12 error unknown-type: unknown type Strng/);
    await project.prints(/> 15 \| {3}colour\?: Strng;\n {5}\| {12}\^/);
    await project.prints(/did you mean string\?/);
    await project.prints(/1 error; the definitions from before are still served/);
    expect((await project.send("GET", `${TRUCKS}/red`)).body.spec).toEqual({ seats: 2, colour: "blue" });
    project.write(
      TRUCK,
      truckFile(`${COLOUR}  /** Registration plate, as it is painted on the truck. */\n  plate?: Plate;\n`),
    );
    await project.prints(/\n0 errors\nnow served: fleet\.example\.com\/v1 Truck/);
  });

  it("says which stored objects a change breaks, and why", async () => {
    project.write(TRUCK, truckFile("  /** Number of doors of the cabin. */\n  doors: Int32;\n"));
    await project.prints(/1 stored object does not fit the new definitions:\n/);
    await project.prints(/Truck default\/red: unknown field "spec\.colour"; spec\.doors: Required value/);
    project.write(TRUCK, truckFile(COLOUR));
    await project.prints(/now served: fleet\.example\.com\/v1 Truck/);
    expect((await project.send("GET", `${TRUCKS}/red`)).body.spec).toEqual({ seats: 2, colour: "blue" });
  });

  it("calls hooks as they are after each change", async () => {
    const black = {
      apiVersion: "fleet.example.com/v1",
      kind: "Truck",
      metadata: { name: "black" },
      spec: { seats: 13 },
    };
    const message = async (): Promise<string> =>
      (await project.send("POST", `${TRUCKS}?dryRun=All`, black)).body.message;
    project.write(HOOKS, hooksFile("brings bad luck"));
    await project.prints(/now served/);
    expect(await message()).toContain("brings bad luck");
    project.write(HOOKS, hooksFile("is not a lucky number"));
    await project.prints(/now served/);
    expect(await message()).toContain("is not a lucky number");
  });

  it("ends watches of a kind without an error if its selectable fields change, and selects by them", async () => {
    const watch = project.watch(TRUCKS);
    await expect.poll(() => watch.events.length, { timeout: 120_000 }).toBe(1);
    const selectable = truckFile(COLOUR).replace(
      'plural: "trucks"',
      'plural: "trucks", selectableFields: ["spec.colour"]',
    );
    project.write(TRUCK, selectable);
    await project.prints(/now served: fleet\.example\.com\/v1 Truck/);
    await expect.poll(watch.ended, { timeout: 120_000 }).toBe(true);
    expect(watch.events.map(({ type }) => type)).toEqual(["ADDED"]);
    const names = async (colour: string): Promise<string[]> =>
      (await project.send("GET", `${TRUCKS}?fieldSelector=spec.colour%3D${colour}`)).body.items.map(
        ({ metadata }: Parsed) => metadata.name,
      );
    expect(await names("blue")).toEqual(["red"]);
    expect(await names("green")).toEqual([]);
  });

  it("shows stored objects with a default that is added, and ends watches of the kind", async () => {
    const watch = project.watch(TRUCKS);
    await expect.poll(() => watch.events.length, { timeout: 120_000 }).toBe(1);
    const wheels = truckFile(
      `${COLOUR}  /** Number of wheels of the truck, with those of its trailer. */\n  wheels?: Int32 & Default<4>;\n`,
    );
    project.write(TRUCK, wheels.replace("import { type Int32", "import { type Default, type Int32"));
    await project.prints(/now served: fleet\.example\.com\/v1 Truck/);
    await expect.poll(watch.ended, { timeout: 120_000 }).toBe(true);
    expect((await project.send("GET", `${TRUCKS}/red`)).body.spec).toEqual({ seats: 2, colour: "blue", wheels: 4 });
    project.write(TRUCK, truckFile(COLOUR));
    await project.prints(/now served: fleet\.example\.com\/v1 Truck/);
    expect((await project.send("GET", `${TRUCKS}/red`)).body.spec).toEqual({ seats: 2, colour: "blue" });
  });

  it("serves kinds that are added, and answers 404 for those that are removed", async () => {
    const trailers = "/apis/fleet.example.com/v1/namespaces/default/trailers";
    const trailer = truckFile("")
      .replaceAll("Truck", "Trailer")
      .replaceAll("truck", "trailer")
      .replaceAll("Plate", "Tag");
    project.write("api-definitions/fleet/v1/trailer.ts", trailer);
    await project.prints(/now served: fleet\.example\.com\/v1 Trailer/);
    expect((await project.send("GET", trailers)).status).toBe(200);
    const { resources } = (await project.send("GET", "/apis/fleet.example.com/v1")).body;
    expect(resources.map(({ name }: Parsed) => name)).toEqual(["trailers", "trucks"]);
    rmSync(join(project.directory, "api-definitions/fleet/v1/trailer.ts"));
    await project.prints(/not served any more: fleet\.example\.com\/v1 Trailer/);
    expect((await project.send("GET", trailers)).status).toBe(404);
  });

  it("creates the APIService of a group that is added, and deletes that of a group that is removed", async () => {
    const apiService = "/apis/apiregistration.k8s.io/v1/apiservices/v1.harbour.example.com";
    const groupNames = async (): Promise<string[]> =>
      (await project.send("GET", "/apis")).body.groups.map(({ name }: Parsed) => name);
    expect((await project.send("GET", apiService)).status).toBe(404);
    project.write(
      "api-definitions/harbour/group.ts",
      `import { group } from "typeplane/vocabulary";
export const harbour = group({ name: "harbour.<domain>", versions: ["v1"] });
`,
    );
    const ship = truckFile("")
      .replaceAll("Truck", "Ship")
      .replaceAll("truck", "ship")
      .replace("the fleet", "a harbour");
    project.write("api-definitions/harbour/v1/ship.ts", ship);
    await project.prints(/now served: harbour\.example\.com\/v1 Ship/);
    const { status, body } = await project.send("GET", apiService);
    expect(status).toBe(200);
    expect(body.spec).toMatchObject({ group: "harbour.example.com", version: "v1" });
    expect(body.metadata.labels).toEqual({ "kube-aggregator.kubernetes.io/automanaged": "onstart" });
    expect(await groupNames()).toContain("harbour.example.com");

    rmSync(join(project.directory, "api-definitions/harbour"), { recursive: true });
    await project.prints(/not served any more: harbour\.example\.com\/v1 Ship/);
    expect((await project.send("GET", apiService)).status).toBe(404);
    expect(await groupNames()).not.toContain("harbour.example.com");
  });
});

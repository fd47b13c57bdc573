import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../tools/cluster.ts";
import { Kubectl } from "../tools/kubectl.ts";
import { ProjectCopy } from "../tools/project-copy.ts";
import { ServerProcess } from "../tools/server-process.ts";
import { findTool } from "../tools/tools.ts";
import { CRATE, GROUP } from "./definitions.ts";

type Fields = { readonly [field: string]: unknown };

/**
 * Valid and invalid values of the fields of a crate. Excludes values that both servers intentionally treat differently, see
 * docs/guides/kubernetes.md: null, empty lists and maps, empty strings that mean unset, and integers out of range.
 */
const VALUES: { readonly [field: string]: readonly unknown[] } = {
  label: ["a", "", "a".repeat(20), "a".repeat(21), "ä".repeat(20), 5],
  count: [0, 1000, 1001, -1, 1.5, "1"],
  locked: [true, false, "true"],
  size: ["Small", "Large", "Huge", ""],
  replicas: [0, 3],
  minimum: [5, -2],
  maximum: [4, 10],
  share: [0.5, 1, 0, 0.3, -0.5],
  shelf: ["A1", "a1", "A"],
  owner: ["me", "you", ""],
  host: ["web", "Web", "-web", "w".repeat(64)],
  address: ["10.0.0.1", "::1", "10.0.0.256", "010.0.0.1", "host"],
  port: [80, "http", true],
  weight: ["2", "500m", 3, "heavy", "1.5Gi"],
  seal: ["AAECAw==", "not base64"],
  packedAt: ["2030-01-01T00:00:00Z", "yesterday"],
  stay: ["1h0m0s", "0s", "1 day"],
  tags: [["a"], ["a", "b"], ["a", "a"], ["a", "b", "c", "d"], [1]],
  parts: [
    [{ name: "a", bolts: 1 }],
    [{ name: "a", bolts: 1, serial: 5 }],
    [{ name: "a", bolts: 1, serial: 4 }],
    [{ name: "a", bolts: 1, nails: 2 }],
    [{ name: "a" }],
    [{ bolts: 1 }],
    [
      { name: "a", nails: 1 },
      { name: "a", bolts: 1 },
    ],
    [{ name: "b", nails: 1, material: "steel" }],
  ],
  codes: [["ab", "abcd"], ["a"], ["abcde"], ["ab", "cd", "ef", "gh"]],
  notes: [{ me: "hello" }, { me: "hello!" }, { a: "1", b: "2", c: "3" }],
  place: [{ row: 1 }, { row: 13 }, {}, { row: 2, column: 3 }, { row: "1" }],
  extra: [{ any: ["thing"] }, 5, "text", [1]],
  object: [{ kind: "X", more: { a: 1 } }],
  remark: ["words"],
};

const GOOD = { label: "good", count: 1, locked: false, owner: "me" };

/** Returns mostly valid crates: all required fields and some others, each with one of its valid or invalid values. */
const crates = fc
  .tuple(
    fc.record(Object.fromEntries(Object.keys(GOOD).map((name) => [name, fieldValue(name, 0.9)])), {
      requiredKeys: Object.keys(GOOD).slice(1),
    }),
    fc.uniqueArray(fc.constantFrom(...Object.keys(VALUES)), { maxLength: 5 }),
    fc.infiniteStream(fc.nat(1000)),
  )
  .map(([required, names, choices]): Fields => {
    const others = names.map((name) => {
      const values = VALUES[name] as readonly unknown[];
      return [name, values[choices.next().value % values.length]];
    });
    return { ...required, ...Object.fromEntries(others) };
  });

function fieldValue(name: string, good: number): fc.Arbitrary<unknown> {
  const fine = fc.constant((GOOD as Fields)[name]);
  return fc.oneof(
    { weight: good * 10, arbitrary: fine },
    { weight: 10 - good * 10, arbitrary: fc.constantFrom(...(VALUES[name] as unknown[])) },
  );
}

describe("a kind and the CustomResourceDefinition that is written of it", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-crds-"));
  let project: ProjectCopy;
  let native: ServerProcess;
  let cluster: Cluster;
  let printed: string;

  beforeAll(async () => {
    project = new ProjectCopy();
    project.write("api-definitions/depot/group.ts", GROUP.replace(', "v1beta1"', ""));
    project.write("api-definitions/depot/v1/crate.ts", CRATE);
    project.generate();
    const out = join(directory, "crds");
    printed = execFileSync(process.execPath, [project.launcher, "crds", "--out", out], {
      encoding: "utf8",
      cwd: project.directory,
    });
    [native, cluster] = await Promise.all([
      ServerProcess.started({ directory, flags: ["--controllers=false"], launcher: project.launcher }),
      startCluster(),
    ]);
  });

  afterAll(async () => {
    await native?.stop();
    await cluster?.stop();
    project?.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  const crate = (name: string, spec: Fields) => ({
    apiVersion: "depot.example.com/v1",
    kind: "Crate",
    metadata: { name },
    spec,
  });
  const path = "/apis/depot.example.com/v1/crates";
  const askNative = async (method: string, at: string, body?: object, accept?: string) => {
    const { status, body: answer } = await native.client.request(method, at, body, "", accept);
    return { status, body: answer as { spec?: Fields; message?: string } };
  };
  const askCustom = async (method: string, at: string, body?: object, accept?: string) => {
    const response = await cluster.fetch(at, {
      method,
      headers: { "Content-Type": "application/json", ...(accept !== undefined && { Accept: accept }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { spec?: Fields; message?: string } };
  };

  it("is written to a file that a server takes without a warning", async () => {
    expect(printed).toMatch(/^1 definition in /);
    const file = join(directory, "crds/crates.depot.example.com.yaml");
    const response = await cluster.fetch("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      method: "POST",
      headers: { "Content-Type": "application/yaml" },
      body: readFileSync(file, "utf8"),
    });
    expect(response.status, await response.clone().text()).toBe(201);
    expect(response.headers.get("Warning")).toBeNull();
    const isServed = async () => (await cluster.fetch(path)).status === 200;
    while (!(await isServed())) await new Promise((done) => setTimeout(done, 20));
  });

  it("accept and refuse the same new objects, and set the same defaults", async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(crates, async (spec) => {
        const body = crate("one", spec);
        const [one, other] = await Promise.all([
          askNative("POST", `${path}?dryRun=All`, body),
          askCustom("POST", `${path}?dryRun=All`, body),
        ]);
        const why = JSON.stringify({ spec, native: one.body.message, custom: other.body.message });
        expect(one.status < 300, why).toBe(other.status < 300);
        if (one.status >= 300) return;
        accepted++;
        // A quantity is stored in canonical form by the server that knows it.
        const known = (fields: Fields = {}) => ({ ...fields, ...(fields.weight !== undefined && { weight: "?" }) });
        expect(known(one.body.spec)).toEqual(known(other.body.spec));
      }),
      { numRuns: 200, endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(30);
  });

  it("accept and refuse the same changes", async () => {
    const old = { ...GOOD, shelf: "A1", parts: [{ name: "a", bolts: 1, serial: 5 }] };
    for (const [name, spec] of Object.entries({ set: old, unset: GOOD })) {
      expect((await askNative("POST", path, crate(name, spec))).status).toBe(201);
      expect((await askCustom("POST", path, crate(name, spec))).status).toBe(201);
    }
    await fc.assert(
      fc.asyncProperty(crates, fc.constantFrom("set", "unset"), async (spec, name) => {
        const at = `${path}/${name}`;
        const [one, other] = await Promise.all(
          [askNative, askCustom].map(async (ask) => {
            const { body } = await ask("GET", at);
            return ask("PUT", `${at}?dryRun=All`, { ...body, spec });
          }),
        );
        const why = JSON.stringify({ name, spec, native: one?.body.message, custom: other?.body.message });
        expect(one!.status < 300, why).toBe(other!.status < 300);
      }),
      { numRuns: 120, endOnFailure: true },
    );
  });

  it("refuse the same names by a rule of the kind as a whole", async () => {
    const body = crate("forbidden", GOOD);
    for (const ask of [askNative, askCustom]) {
      const { status, body: answer } = await ask("POST", path, body);
      expect(status).toBe(422);
      expect(answer.message).toContain("this name is reserved");
    }
  });

  it("show the same columns, and select by the same fields", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const query = `${path}?fieldSelector=spec.label%3Dgood`;
    type Table = { columnDefinitions: { name: string; priority: number }[]; rows: { cells: unknown[] }[] };
    const [one, other] = (await Promise.all([
      askNative("GET", query, undefined, accept),
      askCustom("GET", query, undefined, accept),
    ])) as unknown as { body: Table }[];
    const columns = ({ body }: { body: Table }) => body.columnDefinitions.map(({ name, priority }) => [name, priority]);
    expect(columns(one!)).toEqual(columns(other!));
    expect(one!.body.rows).toHaveLength(2);
    const cells = ({ body }: { body: Table }) => body.rows.map((row) => row.cells.slice(0, 4));
    expect(cells(one!)).toEqual(cells(other!));
  });

  it.skipIf(findTool("kubectl") === undefined)("are scaled by kubectl alike", async () => {
    const kubeconfig = join(directory, "cluster-kubeconfig");
    writeFileSync(kubeconfig, cluster.kubeconfig);
    for (const file of [native.kubeconfig, kubeconfig]) {
      const kubectl = new Kubectl({
        binary: findTool("kubectl")!,
        home: mkdtempSync(join(directory, "home-")),
        kubeconfig: file,
      });
      expect(await kubectl.ok("scale crates.depot.example.com/set --replicas=4")).toContain("scaled");
      expect(await kubectl.ok("get cr8 set -o jsonpath={.spec.replicas}")).toBe("4");
    }
  });
});

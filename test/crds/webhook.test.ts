import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { createAuthority } from "../fixtures/certificates.ts";
import { type Cluster, startCluster } from "../tools/cluster.ts";
import { ProjectCopy } from "../tools/project-copy.ts";

const GROUP = `import { group } from "../vocabulary.ts";
export const stage = group({ name: "stage.example.com", versions: ["v1", "v1beta1"] });
`;

/** A hall whose seats move into a struct from v1beta1 to v1. */
const hall = (spec: string, more = "") => `import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Int32, kind, type Minimum } from "../../vocabulary.ts";

/** A hall of the house. */
export interface Hall extends ClusterScoped {
  /** Desired state of the hall. */
  spec: HallSpec;
  /** Observed state of the hall. */
  status?: HallStatus;
}

/** What the hall is like. */
export interface HallSpec {
  ${spec}
  /** Number of ushers on duty. */
  ushers?: Int32;
  /** Name that is shown to people. */
  title?: string;
}

/** What was observed of the hall. */
export interface HallStatus {
  /** Number of people in the hall. */
  people?: Int32 & Minimum<0>;
}
${more}
export const hall = kind<Hall>({ plural: "halls", introduced: "1.33", subresources: { status: true } });
`;

const CAPACITY = `
/** How many people fit in. */
export interface Capacity {
  /** Number of seats in the hall. */
  seats?: Int32;
  /** Number of people who may stand. */
  standing?: Int32;
}
`;

const CONVERSIONS = `import { conversion } from "../conversion-vocabulary.ts";
import type { Hall } from "./v1/hall.ts";
import type { Hall as HallV1beta1 } from "./v1beta1/hall.ts";

export const hallV1beta1 = conversion<HallV1beta1, Hall>({ rename: { "spec.seats": "spec.capacity.seats" } });
`;

const HALL_HOOKS = `import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { invalidField } from "../../../runtime/values/field-errors.ts";
import type { Hall } from "./hall.ts";

export const hooks = kindHooks<Hall>({
  default({ metadata, spec }) {
    spec.title ??= "The " + metadata?.name;
  },
  validate({ spec, status }, { old, subresource }) {
    const seats = spec.capacity?.seats ?? 0;
    if (subresource === "status" && (status?.people ?? 0) > seats) return [invalidField("status.people", status?.people, "more than seats")];
    if (old !== undefined && seats < (old.spec.capacity?.seats ?? 0)) return [invalidField("spec.capacity.seats", seats, "may not shrink")];
    return [];
  },
  warn: ({ spec }) => ((spec.ushers ?? 0) > 5 ? ["that is a lot of ushers"] : []),
});
`;

const SHOW = `import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Int32, kind } from "../../vocabulary.ts";

/** A show in one of the halls. */
export interface Show extends Namespaced {
  /** Desired state of the show. */
  spec: ShowSpec;
}

/** Where the show takes place, and for how many people. */
export interface ShowSpec {
  /** Name of the hall. Must exist. */
  hall: string;
  /** Number of ushers. Taken from the hall by default. */
  ushers?: Int32;
}

export const show = kind<Show>({ plural: "shows", introduced: "1.33" });
`;

const SHOW_HOOKS = `import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { notFoundField } from "../../../runtime/values/field-errors.ts";
import { hall } from "./hall.ts";
import type { Show } from "./show.ts";

export const hooks = kindHooks<Show, typeof hall>({
  reads: [hall],
  async prepare({ spec }, { read }) {
    spec.ushers ??= (await read(hall).get(undefined, spec.hall))?.spec.ushers ?? 0;
  },
  async validate({ spec }, { read }) {
    return (await read(hall).get(undefined, spec.hall)) === undefined ? [notFoundField("spec.hall", spec.hall)] : [];
  },
});
`;

describe("typeplane webhook", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-webhook-"));
  const file = (name: string): string => join(directory, name);
  let project: ProjectCopy;
  let cluster: Cluster;
  let webhook: ChildProcess;
  let port: number;
  const authority = createAuthority();

  beforeAll(async () => {
    project = new ProjectCopy();
    project.write("api-definitions/stage/group.ts", GROUP);
    const seats = "/** Number of seats in the hall. */\n  seats?: Int32;";
    project.write("api-definitions/stage/v1beta1/hall.ts", hall(seats));
    const capacity = "/** How many people fit in it. */\n  capacity?: Capacity;";
    project.write("api-definitions/stage/v1/hall.ts", hall(capacity, CAPACITY));
    project.write("api-definitions/stage/v1/hall.hooks.ts", HALL_HOOKS);
    project.write("api-definitions/stage/v1/show.ts", SHOW);
    project.write("api-definitions/stage/v1/show.hooks.ts", SHOW_HOOKS);
    project.write("api-definitions/stage/conversions.ts", CONVERSIONS);
    project.generate();
    cluster = await startCluster();
    const { cert, key } = authority.issue("webhook", "server", { names: ["localhost"] });
    writeFileSync(file("ca.crt"), authority.authority);
    writeFileSync(file("tls.crt"), cert);
    writeFileSync(file("tls.key"), key);
    writeFileSync(file("kubeconfig"), cluster.kubeconfig);
    const flags = [`--tls-cert-file=${file("tls.crt")}`, `--tls-private-key-file=${file("tls.key")}`];
    webhook = spawn(
      process.execPath,
      [
        project.launcher,
        "webhook",
        "--port=0",
        "--bind-address=127.0.0.1",
        `--kubeconfig=${file("kubeconfig")}`,
        ...flags,
      ],
      { cwd: project.directory, stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = (await once(webhook.stdout!, "data")) as [Buffer];
    port = Number(/:(\d+)\n$/.exec(line.toString())?.[1]);
    const crds = [
      "crds",
      "--out",
      file("crds"),
      `--webhook-url=https://localhost:${port}`,
      `--ca-bundle=${file("ca.crt")}`,
    ];
    execFileSync(process.execPath, [project.launcher, ...crds], { cwd: project.directory, stdio: "pipe" });
    for (const name of readdirSync(file("crds")).sort()) {
      const documents = parseAllDocuments(readFileSync(join(file("crds"), name), "utf8"));
      for (const document of documents) await createManifest(document.toJS());
    }
    while ((await ask("GET", "/apis/stage.example.com/v1/halls")).status !== 200) await setTimeout(20);
  });

  afterAll(async () => {
    if (webhook?.exitCode === null) webhook.kill("SIGKILL");
    await cluster?.stop();
    project?.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  type Body = { readonly [key: string]: unknown; readonly message?: string };
  async function ask(method: string, path: string, body?: object) {
    const response = await cluster.fetch(path, {
      method,
      headers: { "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, warning: response.headers.get("Warning"), body: (await response.json()) as Body };
  }

  async function createManifest(manifest: { readonly kind: string }): Promise<void> {
    const paths: { readonly [kind: string]: string } = {
      CustomResourceDefinition: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      MutatingWebhookConfiguration: "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
      ValidatingWebhookConfiguration: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    };
    const { status, warning, body } = await ask("POST", paths[manifest.kind] ?? manifest.kind, manifest);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(warning).toBeNull();
  }

  const halls = "/apis/stage.example.com/v1/halls";
  const make = (version: string, name: string, spec: object) => ({
    apiVersion: `stage.example.com/${version}`,
    kind: "Hall",
    metadata: { name },
    spec,
  });

  it("converts objects between versions, in both directions, and loses nothing", async () => {
    const beta = "/apis/stage.example.com/v1beta1/halls";
    const created = await ask("POST", beta, make("v1beta1", "large", { seats: 100, ushers: 2 }));
    expect(created.status, created.body.message).toBe(201);
    expect(created.body).toMatchObject({ apiVersion: "stage.example.com/v1beta1", spec: { seats: 100 } });
    const stored = await ask("GET", `${halls}/large`);
    expect(stored.body).toMatchObject({ spec: { capacity: { seats: 100 }, ushers: 2 } });
    const { spec } = stored.body as { spec: { capacity: object } };
    const standing = { ...stored.body, spec: { ...spec, capacity: { seats: 100, standing: 30 } } };
    expect((await ask("PUT", `${halls}/large`, standing)).status).toBe(200);
    const old = await ask("GET", `${beta}/large`);
    expect(old.body).toMatchObject({ spec: { seats: 100 } });
    expect((await ask("PUT", `${beta}/large`, { ...old.body, spec: { seats: 110 } })).status).toBe(200);
    expect((await ask("GET", `${halls}/large`)).body).toMatchObject({
      spec: { capacity: { seats: 110, standing: 30 } },
    });
    expect((await ask("GET", beta)).body).toMatchObject({ items: [{ spec: { seats: 110 } }] });
  });

  it("sets the defaults of hooks, and returns their warnings", async () => {
    const { status, body, warning } = await ask("POST", halls, make("v1", "small", { ushers: 6 }));
    expect(status, body.message).toBe(201);
    expect(body).toMatchObject({ spec: { title: "The small", ushers: 6 } });
    expect(warning).toContain("that is a lot of ushers");
    const other = await ask("POST", "/apis/stage.example.com/v1beta1/halls", make("v1beta1", "tiny", {}));
    expect(other.body).toMatchObject({ spec: { title: "The tiny" } });
  });

  it("refuses changes that hooks refuse, in every version and of the status", async () => {
    const { body } = await ask("GET", "/apis/stage.example.com/v1beta1/halls/large");
    const shrunk = await ask("PUT", "/apis/stage.example.com/v1beta1/halls/large", { ...body, spec: { seats: 5 } });
    expect(shrunk.status).toBe(422);
    expect(shrunk.body.message).toContain("spec.capacity.seats: Invalid value: 5: may not shrink");
    const now = await ask("GET", `${halls}/large`);
    const crowded = await ask("PUT", `${halls}/large/status`, { ...now.body, status: { people: 111 } });
    expect(crowded.body.message).toContain("status.people: Invalid value: 111: more than seats");
    const filled = await ask("PUT", `${halls}/large/status`, { ...now.body, status: { people: 110 } });
    expect(filled.status, filled.body.message).toBe(200);
  });

  it("leaves values of the wrong type to the schema of the cluster", async () => {
    const { status, body } = await ask("POST", halls, make("v1", "odd", { ushers: "many" }));
    expect(status).toBe(422);
    expect(body.message).toContain("spec.ushers: Invalid value");
  });

  it("lets hooks read other objects of the cluster", async () => {
    const shows = "/apis/stage.example.com/v1/namespaces/default/shows";
    const show = (name: string) => ({
      apiVersion: "stage.example.com/v1",
      kind: "Show",
      metadata: { name: "tonight" },
      spec: { hall: name },
    });
    const absent = await ask("POST", shows, show("none"));
    expect(absent.status).toBe(422);
    expect(absent.body.message).toContain('spec.hall: Not found: "none"');
    const created = await ask("POST", shows, show("small"));
    expect(created.status, created.body.message).toBe(201);
    expect(created.body).toMatchObject({ spec: { hall: "small", ushers: 6 } });
  });

  it("serves a certificate that replaces its own", async () => {
    const { cert, key } = authority.issue("webhook", "server", { names: ["localhost"] });
    writeFileSync(file("tls.crt"), cert);
    writeFileSync(file("tls.key"), key);
    const served = async (): Promise<string | undefined> => {
      const socket = connect({ host: "127.0.0.1", port, ca: authority.authority, servername: "localhost" });
      await once(socket, "secureConnect");
      const { serialNumber } = socket.getPeerX509Certificate() ?? {};
      socket.destroy();
      return serialNumber;
    };
    while ((await served()) !== new X509Certificate(cert).serialNumber) await setTimeout(50);
  });

  it("stops on SIGTERM", async () => {
    webhook.kill("SIGTERM");
    const [code] = (await once(webhook, "exit")) as [number];
    expect(code).toBe(0);
  });
});

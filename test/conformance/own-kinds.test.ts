import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProjectCopy } from "../tools/project-copy.ts";
import { ServerProcess } from "../tools/server-process.ts";

const GROUP = `import { group } from "../vocabulary.ts";
export const plat = group({ name: "plat.example.com", versions: ["v2", "v1"] });
`;

/** A kind with the plural of one of Kubernetes. */
const JOB = `import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Int32, kind } from "../../vocabulary.ts";

/** A job of the platform. */
export interface Job extends Namespaced {
  /** Desired state of the job. */
  spec: JobSpec;
}

/** What the job does. */
export interface JobSpec {
  /** Number of steps it has. */
  steps: Int32;
}

export const job = kind<Job>({ plural: "jobs", introduced: "1.33" });
`;

/** A hall whose seats move into a struct with a sibling from v1 to v2. */
const hall = (spec: string, more = "") => `import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Int32, kind } from "../../vocabulary.ts";

/** A hall of the house. */
export interface Hall extends ClusterScoped {
  /** Desired state of the hall. */
  spec: HallSpec;
}

/** What the hall is like. */
export interface HallSpec {
  ${spec}
  /** Number of ushers on duty. */
  ushers?: Int32;
}
${more}
export const hall = kind<Hall>({
  plural: "halls",
  introduced: "1.33",
  subresources: { scale: { specReplicasPath: ".spec.ushers", statusReplicasPath: ".spec.ushers" } },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the hall." },
    { name: "Sold", type: "integer", description: "Number of tickets sold." },
  ],
});
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

/** Leaves the column without a path empty. */
const HOOKS = `import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import type { Hall } from "./hall.ts";

export const hooks = kindHooks<Hall>({ cells: () => ({}) });
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
  /** Number of tickets on sale. */
  tickets: Int32;
  /** Where people sit. Taken from the hall by default. */
  ushers?: Int32;
}

export const show = kind<Show>({ plural: "shows", introduced: "1.33" });
`;

/** Reads halls in v1, although they are stored in v2. */
const SHOW_HOOKS = `import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { invalidField, notFoundField } from "../../../runtime/values/field-errors.ts";
import { hall } from "./hall.ts";
import type { Show } from "./show.ts";

export const hooks = kindHooks<Show, typeof hall>({
  reads: [hall],
  async prepare({ spec }, { read }) {
    spec.ushers ??= (await read(hall).get(undefined, spec.hall))?.spec.ushers ?? 0;
  },
  async validate({ spec }, { read, old }) {
    const found = await read(hall).get(undefined, spec.hall);
    if (found === undefined) return [notFoundField("spec.hall", spec.hall)];
    const seats = found.spec.seats ?? 0;
    if (spec.tickets > seats) return [invalidField("spec.tickets", spec.tickets, "the hall has " + seats + " seats")];
    return old !== undefined && old.spec.hall !== spec.hall ? [invalidField("spec.hall", spec.hall, "may not change")] : [];
  },
  async warn({ spec }, { read }) {
    const halls = await read(hall).list();
    return halls.length === 1 ? ["there is no hall but " + spec.hall] : [];
  },
});
`;

const CONVERSIONS = `import { conversion } from "../conversion-vocabulary.ts";
import type { Hall as HallV1 } from "./v1/hall.ts";
import type { Hall } from "./v2/hall.ts";

export const hallV1 = conversion<HallV1, Hall>({ rename: { "spec.seats": "spec.capacity.seats" } });
`;

describe("kinds of one's own", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-own-kinds-"));
  let project: ProjectCopy;
  let server: ServerProcess;

  beforeAll(async () => {
    project = new ProjectCopy();
    project.write("api-definitions/plat/group.ts", GROUP);
    project.write("api-definitions/plat/v1/job.ts", JOB);
    project.write("api-definitions/plat/v1/hall.ts", hall("/** Number of seats in the hall. */\n  seats?: Int32;"));
    project.write(
      "api-definitions/plat/v2/hall.ts",
      hall("/** How many people fit in it. */\n  capacity?: Capacity;", CAPACITY),
    );
    project.write("api-definitions/plat/v2/hall.hooks.ts", HOOKS);
    project.write("api-definitions/plat/v1/show.ts", SHOW);
    project.write("api-definitions/plat/v1/show.hooks.ts", SHOW_HOOKS);
    project.write("api-definitions/plat/conversions.ts", CONVERSIONS);
    project.generate();
    server = await ServerProcess.started({ directory, flags: ["--controllers=false"], launcher: project.launcher });
    while ((await server.client.request("GET", "/api/v1/namespaces/default")).status !== 200) await setTimeout(50);
  });

  afterAll(async () => {
    await server?.stop();
    project?.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  const ask = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await server.client.request(method, path, body);
    return { status, answer: answer as Record<string, unknown> };
  };

  it("are stored apart from kinds of other groups with the same plural", async () => {
    const mine = { apiVersion: "plat.example.com/v1", kind: "Job", metadata: { name: "a" }, spec: { steps: 3 } };
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    const theirs = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "a" }, spec: { template } };
    expect((await ask("POST", "/apis/plat.example.com/v1/namespaces/default/jobs", mine)).status).toBe(201);
    expect((await ask("POST", "/apis/batch/v1/namespaces/default/jobs", theirs)).status).toBe(201);
    const one = await ask("GET", "/apis/plat.example.com/v1/namespaces/default/jobs/a");
    expect(one.answer).toMatchObject({ kind: "Job", spec: { steps: 3 } });
    const other = await ask("GET", "/apis/batch/v1/namespaces/default/jobs/a");
    expect(other.answer).toMatchObject({ kind: "Job", spec: { parallelism: 1 } });
  });

  it("keep the siblings of a field that a conversion moves into a struct", async () => {
    const body = {
      apiVersion: "plat.example.com/v2",
      kind: "Hall",
      metadata: { name: "large" },
      spec: { capacity: { seats: 100, standing: 20 }, ushers: 2 },
    };
    expect((await ask("POST", "/apis/plat.example.com/v2/halls", body)).status).toBe(201);
    const old = await ask("GET", "/apis/plat.example.com/v1/halls/large");
    expect(old.answer).toMatchObject({ spec: { seats: 100 } });
    const changed = { ...old.answer, spec: { ...(old.answer.spec as object), seats: 110 } };
    expect((await ask("PUT", "/apis/plat.example.com/v1/halls/large", changed)).status).toBe(200);
    const now = await ask("GET", "/apis/plat.example.com/v2/halls/large");
    expect(now.answer).toMatchObject({ spec: { capacity: { seats: 110, standing: 20 } } });
  });

  it("may refuse references to objects that do not exist: hooks read other kinds in the version they declare", async () => {
    const shows = "/apis/plat.example.com/v1/namespaces/default/shows";
    const show = (hall: string, tickets: number) => ({
      apiVersion: "plat.example.com/v1",
      kind: "Show",
      metadata: { name: "tonight" },
      spec: { hall, tickets },
    });
    const absent = await ask("POST", shows, show("small", 5));
    expect(absent.status).toBe(422);
    expect(absent.answer.message).toBe('Show.plat.example.com "tonight" is invalid: spec.hall: Not found: "small"');
    const crowded = await ask("POST", shows, show("large", 111));
    expect(crowded.answer.message).toContain("spec.tickets: Invalid value: 111: the hall has 110 seats");
    const { status, body, headers } = await server.client.request("POST", shows, show("large", 110));
    expect(status).toBe(201);
    expect(body).toMatchObject({ spec: { hall: "large", tickets: 110, ushers: 2 } });
    expect(headers.warning).toContain("there is no hall but large");
    expect((await ask("PUT", `${shows}/tonight`, show("large", 90))).status).toBe(200);
    expect((await ask("PUT", `${shows}/tonight`, show("small", 90))).status).toBe(422);
  });

  it("can be scaled when they are cluster-scoped", async () => {
    const path = "/apis/plat.example.com/v2/halls/large/scale";
    const scale = await ask("GET", path);
    expect(scale.answer).toMatchObject({ kind: "Scale", spec: { replicas: 2 } });
    const changed = await ask("PUT", path, { ...scale.answer, spec: { replicas: 5 } });
    expect(changed.answer).toMatchObject({ spec: { replicas: 5 } });
  });

  it("show no value in a number column that nothing fills", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { body } = await server.client.request("GET", "/apis/plat.example.com/v2/halls", undefined, "", accept);
    expect((body as { rows: { cells: unknown[] }[] }).rows[0]?.cells).toEqual(["large", null]);
  });
});

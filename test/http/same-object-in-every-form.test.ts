import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { decodeCbor } from "../../runtime/encoding/cbor/decode-cbor.ts";
import { decodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { customDefinition } from "../fixtures/custom-definition.ts";
import type { Parsed } from "../fixtures/plane-client.ts";
import { schemas } from "../kinds/conversions/converters.ts";

/*
 * Random sequences of writes, and every event of watches, response to a write, get and list in every form. Each is decoded and must be the
 * object that a get in JSON returned at that resourceVersion. fast-check prints the seed of a failure; SEED=<number> repeats it.
 */

/** Chosen once, so that a retry repeats the writes that failed. */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const MEDIA_TYPES = ["application/json", PROTOBUF, "application/cbor"];
const METADATA = ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
const MERGE = "application/merge-patch+json";
/** Maximum duration of runs, so that the test is short on a busy machine, too. */
const MAX_MS = 8_000;

interface Kind {
  readonly path: string;
  readonly body: object;
  /** Absent for custom kinds. */
  readonly type?: TypeRef;
  /** The member that random values are written to, below `spec` if it is nested. */
  readonly change: (values: Record<string, string>) => object;
  readonly hasStatus?: boolean;
}

const KINDS: readonly Kind[] = [
  {
    path: "/api/v1/namespaces/default/configmaps",
    body: { apiVersion: "v1", kind: "ConfigMap" },
    type: "core/v1.ConfigMap",
    change: (data) => ({ data }),
  },
  {
    path: "/api/v1/namespaces/default/pods",
    body: { apiVersion: "v1", kind: "Pod", spec: { containers: [{ name: "a", image: "b" }] } },
    type: "core/v1.Pod",
    change: (annotations) => ({ metadata: { annotations } }),
    hasStatus: true,
  },
  {
    path: "/apis/example.com/v1/namespaces/default/forms",
    body: { apiVersion: "example.com/v1", kind: "Form" },
    change: (values) => ({ aaa: { metadata: values }, spec: { metadata: { name: "other" }, items: [values], values } }),
  },
];

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }).filter((value) => value.isWellFormed()),
  fc.constantFrom("", "<&>", '"}', "\\", "\u2028", "\u0000", "😀", "1", '{"metadata":{"name":"x"}}', "é".repeat(90)),
);
const key = fc.constantFrom("a", "metadata", "items", "status", "1", "10", "2", "managedFields", "spec", "x.y");
const values = fc.dictionary(key, text, { maxKeys: 4 });
const step = fc.record({
  kind: fc.nat(KINDS.length - 1),
  object: fc.nat(1),
  how: fc.constantFrom("merge", "apply", "put", "repeat", "label", "status", "delete"),
  manager: fc.constantFrom("one", "two"),
  accept: fc.nat(MEDIA_TYPES.length * 2 - 1),
  values,
});

let plane: Plane;

beforeAll(async () => {
  const flags = { "feature-gates": "CBORServingAndStorage=true", "disable-admission-plugins": "ServiceAccount" };
  plane = await startPlane({ listen: false, flags: { controllers: "false", ...flags } });
  await plane.ready;
  const body = customDefinition("forms.example.com", "Form");
  await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body);
  await vi.waitFor(async () => expect((await send("GET", (KINDS[2] as Kind).path)).status).toBe(200));
});
afterAll(() => plane.stop());

async function send(
  method: string,
  path: string,
  body?: unknown,
  type = "application/json",
  accept = "application/json",
) {
  const headers = { Accept: accept, "Content-Type": type };
  const response = await plane.fetch(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const parse = (bytes: Buffer): Parsed => JSON.parse(bytes.toString("utf8"));

/** Returns the value of a body as in JSON, decoded with the decoders for requests. */
function decode(form: string, bytes: Buffer, type: TypeRef | undefined): Parsed {
  if (form.startsWith("application/cbor")) return JSON.parse(JSON.stringify(decodeCbor(bytes)));
  if (!form.startsWith(PROTOBUF)) return parse(bytes);
  const { apiVersion, kind, raw } = decodeEnvelope(bytes);
  const ref = form.includes("as=") ? `meta/v1.PartialObjectMetadata${kind.endsWith("List") ? "List" : ""}` : type;
  return { ...JSON.parse(JSON.stringify(schemas.of(ref as TypeRef).decodeProtobuf(raw))), apiVersion, kind };
}

/** Returns the events of a watch, whose frames are split according to their media type. */
function* eventsOf(
  form: string,
  bytes: Buffer,
  type: TypeRef | undefined,
): Generator<{ type: string; object: Parsed }> {
  if (!form.startsWith(PROTOBUF)) {
    const frames = form.startsWith("application/json")
      ? bytes.toString("utf8").trimEnd().split("\n")
      : cborItems(bytes);
    for (const frame of frames) {
      if (typeof frame !== "string") yield JSON.parse(JSON.stringify(decodeCbor(frame)));
      else if (frame !== "") yield JSON.parse(frame);
    }
    return;
  }
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    const envelope = bytes.indexOf("k8s\0", at);
    const name = bytes.toString("utf8", at + 6, at + 6 + (bytes[at + 5] as number));
    yield { type: name, object: decode(form, bytes.subarray(envelope, end), type) };
    at = end;
  }
}

/** Every entry begins with the CBOR tag, which no string in this test contains. */
function cborItems(bytes: Buffer): Buffer[] {
  const TAG = Buffer.from([0xd9, 0xd9, 0xf7]);
  const starts: number[] = [];
  for (let at = bytes.indexOf(TAG); at !== -1; at = bytes.indexOf(TAG, at + 1)) starts.push(at);
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1]));
}

const metadataOf = ({ metadata }: Parsed) => ({
  kind: "PartialObjectMetadata",
  apiVersion: "meta.k8s.io/v1",
  metadata,
});
const formsOf = ({ type }: Kind) =>
  MEDIA_TYPES.flatMap((one) => [one, one + METADATA]).filter((one) => type !== undefined || one !== PROTOBUF);

/** Sends a write. Returns the response if it succeeded. */
async function write(one: Parsed, kind: Kind, name: string, live: Parsed | undefined, accept: string) {
  const path = `${kind.path}/${name}`;
  const query = `?fieldManager=${one.manager}`;
  const made = { ...kind.body, ...kind.change(one.values) } as Parsed;
  const whole = { ...made, metadata: { ...made.metadata, name } };
  if (live === undefined) return send("POST", kind.path + query, whole, undefined, accept);
  switch (one.how) {
    case "merge":
      return send("PATCH", path + query, kind.change(one.values), MERGE, accept);
    case "apply":
      return send("PATCH", `${path}${query}&force=true`, whole, "application/apply-patch+yaml", accept);
    case "put":
      return send(
        "PUT",
        path + query,
        { ...live, ...kind.change(one.values), metadata: live.metadata },
        undefined,
        accept,
      );
    case "repeat":
      return send("PUT", path + query, live, undefined, accept);
    case "status":
      if (kind.hasStatus)
        return send("PATCH", `${path}/status${query}`, { status: { message: one.values.a } }, MERGE, accept);
      return send(
        "PUT",
        path + query,
        { ...live, metadata: { ...live.metadata, labels: { b: "2" } } },
        undefined,
        accept,
      );
    default:
      return send(
        "PATCH",
        path + query,
        { metadata: { labels: { a: String(Object.keys(one.values).length) } } },
        MERGE,
        accept,
      );
  }
}

class Run {
  readonly #prefix: string;
  /** Objects by kind, name and resourceVersion, as a get in JSON returned them. */
  readonly #known = new Map<string, Parsed>();
  readonly #live = new Map<string, Parsed>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  async step(one: Parsed): Promise<void> {
    const kind = KINDS[one.kind] as Kind;
    const name = `${this.#prefix}-${one.object}`;
    const path = `${kind.path}/${name}`;
    const live = this.#live.get(path);
    if (one.how === "delete") {
      if (live !== undefined) await send("DELETE", `${path}?gracePeriodSeconds=0`);
      this.#live.delete(path);
      return;
    }
    const forms = formsOf(kind);
    const form = forms[one.accept % forms.length] as string;
    const answer = await write(one, kind, name, live, form);
    const json = await send("GET", path);
    if (json.status !== 200) return;
    const object = parse(json.bytes);
    this.#live.set(path, object);
    this.#known.set(`${path} ${object.metadata.resourceVersion}`, object);
    if (answer.status < 300) this.#check(kind, form, decode(form, answer.bytes, kind.type), "write");
    for (const other of forms) {
      this.#check(
        kind,
        other,
        decode(other, (await send("GET", path, undefined, undefined, other)).bytes, kind.type),
        "get",
      );
    }
  }

  /** Compares an object in some form with the one in JSON at its resourceVersion. */
  #check(kind: Kind, form: string, got: Parsed, where: string): void {
    const { name, resourceVersion } = got.metadata;
    const known = this.#known.get(`${kind.path}/${name} ${resourceVersion}`);
    expect(known, `${where} ${form} ${name} at ${resourceVersion}`).toBeDefined();
    expect(got, `${where} ${form}`).toEqual(form.includes("as=") ? metadataOf(known) : known);
  }

  async lists(): Promise<void> {
    for (const kind of KINDS) {
      for (const form of formsOf(kind)) {
        const listForm = form.replace("PartialObjectMetadata", "PartialObjectMetadataList");
        const { bytes } = await send("GET", kind.path, undefined, undefined, listForm);
        const list = decode(listForm, bytes, kind.type && (`${kind.type}List` as TypeRef));
        const items = (list.items ?? []).filter((item: Parsed) => item.metadata.name.startsWith(`${this.#prefix}-`));
        const names = [...this.#live.keys()].filter((path) => path.startsWith(`${kind.path}/`));
        expect(items, `${listForm} ${kind.path}`).toHaveLength(names.length);
        const type = form.includes("as=") ? { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" } : kind.body;
        const { kind: name, apiVersion } = type as Parsed;
        for (const item of items) this.#check(kind, form, { ...item, kind: name, apiVersion }, "list");
      }
      await this.#tables(kind);
    }
  }

  async #tables(kind: Kind): Promise<void> {
    for (const include of ["None", "Metadata", "Object"]) {
      const path = `${kind.path}?includeObject=${include}`;
      const rows: Parsed[] = parse((await send("GET", path, undefined, undefined, TABLE)).bytes).rows;
      for (const { cells, object } of rows) {
        if (!cells[0].startsWith(`${this.#prefix}-`)) continue;
        if (include === "None") expect(object).toBeNull();
        else this.#check(kind, include === "Metadata" ? METADATA : "", object, `table with ${include}`);
      }
    }
  }

  /** Every event of watches is a version that a get has returned, and there is one of every version. */
  checkWatches(watches: readonly Watching[]): void {
    for (const { kind, form, where, chunks } of watches) {
      const seen = new Set<string>();
      for (const { type, object } of eventsOf(form, Buffer.concat(chunks), kind.type)) {
        const { name, resourceVersion, deletionTimestamp } = object.metadata;
        // A pod is marked before it is deleted, which no get sees.
        if (type === "DELETED" || deletionTimestamp !== undefined || !name.startsWith(`${this.#prefix}-`)) continue;
        this.#check(kind, form, object, where);
        seen.add(`${kind.path}/${name} ${resourceVersion}`);
      }
      const known = [...this.#known.keys()].filter((one) => one.startsWith(`${kind.path}/`));
      expect([...seen].sort(), `${where} ${form} of ${kind.path}`).toEqual(known.sort());
    }
  }
}

interface Watching {
  readonly kind: Kind;
  readonly form: string;
  readonly where: string;
  readonly chunks: Uint8Array[];
}

/** Watches all kinds in all forms until the signal. */
async function watchAll(resourceVersion: string, where: string, ending: AbortController): Promise<Watching[]> {
  const watches = KINDS.flatMap((kind) =>
    formsOf(kind).map((form) => ({ kind, form, where, chunks: [] as Uint8Array[] })),
  );
  await Promise.all(
    watches.map(async ({ kind, form, chunks }) => {
      const path = `${kind.path}?watch=true&resourceVersion=${resourceVersion}`;
      const response = await plane.fetch(path, { headers: { Accept: form }, signal: ending.signal });
      expect(response.status).toBe(200);
      void collect(response, chunks, ending.signal);
    }),
  );
  return watches;
}

async function collect(
  response: Awaited<ReturnType<Plane["fetch"]>>,
  chunks: Uint8Array[],
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

it("an object is the same in every form, in watches, gets, lists, tables and responses to writes", {
  timeout: 60_000,
}, async () => {
  const prefix = `forms${Date.now().toString(36)}`;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25, size: "max" }), async (steps) => {
      const run = new Run(`${prefix}-${count++}`);
      const { resourceVersion } = parse((await send("GET", `${KINDS[0]?.path}?limit=1`)).bytes).metadata;
      const ending = new AbortController();
      const live = await watchAll(resourceVersion, "watch", ending);
      for (const one of steps) await run.step(one);
      await run.lists();
      const resumed = await watchAll(resourceVersion, "resumed watch", ending);
      try {
        await vi.waitFor(() => run.checkWatches([...live, ...resumed]), { timeout: 3000, interval: 100 });
      } finally {
        ending.abort();
      }
    }),
    { numRuns: 20, interruptAfterTimeLimit: MAX_MS, seed: SEED },
  );
  expect(count).toBeGreaterThan(0);
});

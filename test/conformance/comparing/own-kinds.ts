import { setTimeout as delay } from "node:timers/promises";
import type { Parsed, PlaneClient } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import type { ComparedRequest, Pair } from "./compared-request.ts";
import { DEFINITIONS_PATH } from "./custom-kinds.ts";
import { type Episode, Versions } from "./episode.ts";
import { objectOf } from "./own/fields.ts";
import { GROUP, type MadeKind, type MadeKinds, VERSIONS } from "./own/made-kinds.ts";

const STEPS = 8;
/** Share of valid values in an object that is sent. */
const GOOD = 0.985;
const READY_MS = 20_000;
const META = ";v=v1;g=meta.k8s.io";
const FORMS = [
  ...["application/json", "application/json", "application/yaml", `application/json;as=Table${META}`],
  ...[`application/json;as=PartialObjectMetadata${META}`, `application/yaml;as=Table${META}`],
];
const VALIDATIONS = ["", "", "&fieldValidation=Strict", "&fieldValidation=Warn", "&fieldValidation=Ignore"];

/**
 * Errors and the order of fields differ between the servers. Unlike for custom resources, and as for all other kinds in Kubernetes, list
 * entries here have no kind and apiVersion, and the last page has no empty token.
 */
const COMPARED: Pick<ComparedRequest, "comparesVerdicts" | "comparesAcceptance" | "view"> = {
  comparesVerdicts: true,
  comparesAcceptance: true,
  view: (body) => {
    if (!body?.kind?.endsWith("List")) return body;
    const { continue: next, ...metadata } = body.metadata;
    const items = body.items.map(({ apiVersion: _, kind: __, ...item }: Parsed) => item);
    return { ...body, metadata: next ? { ...metadata, continue: next } : metadata, items };
  },
};

/** Makes the real server serve the kinds as custom resources. This server has them from their definitions. */
export async function defineOwnKinds({ definitions, kinds }: MadeKinds, real: PlaneClient): Promise<void> {
  for (const body of definitions) {
    const { status, text } = await real("POST", DEFINITIONS_PATH, { body });
    if (status !== 201) throw new Error(`a kube-apiserver refuses an own kind: ${text}`);
  }
  for (const { plural } of kinds) {
    for (const version of VERSIONS) {
      for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await delay(50))
        if ((await real("GET", `/apis/${GROUP}/${version}/${plural}`)).status === 200) break;
    }
  }
}

/**
 * Writes one object of a kind that this server serves from its TypeScript definition, and the real one from the CustomResourceDefinition
 * generated from it.
 */
export const ownKinds: Episode = async (random, { own }, exchange) => {
  if (own === undefined) return;
  const life: Life = {
    random,
    kind: random.pick(own.kinds),
    name: `own-${random.int(2 ** 31)}`,
    version: random.pick(["v1", ...VERSIONS]),
    versions: new Versions(),
  };
  const send = async (request: ComparedRequest): Promise<void> => {
    const answers = await exchange.send({ ...request, ...COMPARED });
    if (!/dryRun/.test(String(request.path))) life.versions.note(answers);
  };
  for (let attempt = 0; attempt < 3 && life.versions.count === 0; attempt++) await send(creation(life));
  if (life.versions.count === 0) return;
  const first = life.versions.last;
  for (let step = 0; step < STEPS; step++) await send(next(life));
  if (random.chance(0.15)) await send(watch(life, first));
  await send({ method: "DELETE", path: `${listOf(life)}/${life.name}`, what: "deletion" });
};

interface Life {
  readonly random: Random;
  readonly kind: MadeKind;
  readonly name: string;
  /** Version of all writes: custom resources lose managers of the status in other versions. */
  readonly version: string;
  readonly versions: Versions;
}

function listOf({ kind, ...life }: Life, version = life.version): string {
  return `/apis/${GROUP}/${version}/${kind.isNamespaced ? "namespaces/default/" : ""}${kind.plural}`;
}

function objectFor({ random, kind, name, version }: Life, spec: Parsed): Parsed {
  const labels = { own: name, l: random.pick(["1", "2"]) };
  return { apiVersion: `${GROUP}/${version}`, kind: kind.kind, metadata: { name, labels }, spec };
}

function creation(life: Life): ComparedRequest {
  const { random, kind } = life;
  const path = listOf(life);
  const body = objectFor(life, objectOf(random, kind.fields, GOOD));
  if (random.chance(0.3)) body.status = statusOf(random);
  const query = `?fieldManager=${random.pick(["one", "two"])}${random.pick(VALIDATIONS)}`;
  return { method: "POST", path: `${path}${query}`, bodies: [body, body], headers: accept(random), what: "creation" };
}

const accept = (random: Random): Record<string, string> => ({ Accept: random.pick(FORMS) });

function next(life: Life): ComparedRequest {
  const { random, kind } = life;
  const steps = [read, list, put, mergePatch, jsonPatch, apply, apply, status, ...(kind.hasScale ? [scale] : [])];
  return random.pick(steps)(life);
}

function read(life: Life): ComparedRequest {
  const part = life.random.chance(0.1) ? "/status" : "";
  return {
    method: "GET",
    path: `${listOf(life, life.random.pick(VERSIONS))}/${life.name}${part}`,
    headers: accept(life.random),
    what: "read",
  };
}

function list(life: Life): ComparedRequest {
  const { random, kind, name } = life;
  const field = kind.selectable.length === 0 ? undefined : random.pick(kind.selectable);
  const value = field === undefined ? "" : encodeURIComponent(String(field.good(random)));
  const selectors = [
    `fieldSelector=metadata.name%3D${name}`,
    ...(field === undefined ? [] : [`fieldSelector=spec.${field.name}${random.pick(["%3D", "%21%3D"])}${value}`]),
    "fieldSelector=spec.absent%3Da",
    "limit=1",
  ];
  const query = `?labelSelector=own%3D${name}&${random.pick(selectors)}`;
  return {
    method: "GET",
    path: `${listOf(life, random.pick(VERSIONS))}${query}`,
    headers: accept(random),
    what: "list",
  };
}

/** Returns an update, usually in the stored version. */
function put(life: Life): ComparedRequest {
  const { random, kind, versions, name } = life;
  const path = listOf(life);
  const body = objectFor(life, objectOf(random, kind.fields, GOOD));
  const at = random.chance(0.9) ? versions.last : random.chance(0.5) ? versions.at(0) : undefined;
  const withVersion = (resourceVersion?: string): Parsed => ({
    ...body,
    metadata: { ...body.metadata, resourceVersion },
  });
  const query = `?fieldManager=two${random.pick(VALIDATIONS)}${random.chance(0.1) ? "&dryRun=All" : ""}`;
  return {
    method: "PUT",
    path: `${path}/${name}${query}`,
    bodies: [withVersion(at?.[0]), withVersion(at?.[1])],
    headers: accept(random),
    what: "put",
  };
}

function patch(life: Life, type: string, body: Parsed, more: string): ComparedRequest {
  const { random, name } = life;
  return {
    method: "PATCH",
    path: `${listOf(life)}/${name}${more}${random.pick(VALIDATIONS)}`,
    type: `application/${type}`,
    bodies: [body, body],
    // Tables of scales have other columns in custom resources.
    headers: more.startsWith("/scale") ? {} : accept(random),
    what: `${type} ${more}`,
  };
}

function someFields({ random, kind }: Life): Parsed {
  const some = kind.fields.filter(() => random.chance(0.3)).map((field) => ({ ...field, isOptional: false }));
  return some.length === 0 ? {} : objectOf(random, some, GOOD);
}

function mergePatch(life: Life): ComparedRequest {
  const { random, kind } = life;
  const spec = someFields(life);
  if (random.chance(0.3)) spec[random.pick(kind.fields).name] = null;
  return patch(
    life,
    "merge-patch+json",
    { spec, metadata: { labels: { l: random.pick(["1", "3"]) } } },
    "?fieldManager=two",
  );
}

function jsonPatch(life: Life): ComparedRequest {
  const { random } = life;
  const operations = Object.entries(someFields(life)).map(([name, value]) => {
    const op = random.pick(["add", "add", "replace", "remove", "test"]);
    return { op, path: `/spec/${name}`, ...(op !== "remove" && { value }) };
  });
  return patch(life, "json-patch+json", operations.slice(0, 2), "?fieldManager=two");
}

function apply(life: Life): ComparedRequest {
  const { random } = life;
  const body = objectFor(life, someFields(life));
  const force = random.chance(0.6) ? "&force=true" : "";
  return patch(life, "apply-patch+yaml", body, `?fieldManager=${random.pick(["a", "b"])}${force}`);
}

function statusOf(random: Random): Parsed {
  const conditions = random.pick([
    [{ type: "Ready", status: random.pick(["True", "False"]) }],
    [
      { type: "Ready", status: "True" },
      { type: "Up", status: random.pick(["True", "maybe", "False"]) },
    ],
  ]);
  return { replicas: random.pick([0, 1, 3, -1, 2]), selector: random.pick(["a=b", "x"]), conditions };
}

function status(life: Life): ComparedRequest {
  const { random } = life;
  const body = { status: statusOf(random), spec: {} };
  if (random.chance(0.5)) return patch(life, "merge-patch+json", body, "/status?fieldManager=s");
  const { spec: _, ...applied } = { ...objectFor(life, {}), ...body };
  return patch(life, "apply-patch+yaml", applied, "/status?fieldManager=a&force=true");
}

function scale(life: Life): ComparedRequest {
  const { random, name } = life;
  const path = `${listOf(life)}/${name}/scale`;
  if (random.chance(0.4)) return { method: "GET", path, what: "scale" };
  const replicas = random.pick([0, 2, 5, -1]);
  if (random.chance(0.5)) return patch(life, "merge-patch+json", { spec: { replicas } }, "/scale?fieldManager=s");
  const body = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name }, spec: { replicas } };
  return { method: "PUT", path, bodies: [body, body], what: "scale" };
}

function watch(life: Life, [mine, theirs]: Pair<string>): ComparedRequest {
  const path = `${listOf(life, life.random.pick(VERSIONS))}?watch=1&timeoutSeconds=1&labelSelector=own%3D${life.name}&resourceVersion=`;
  return { method: "GET", path: [`${path}${mine}`, `${path}${theirs}`], headers: accept(life.random), what: "watch" };
}

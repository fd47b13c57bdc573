import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { partOf } from "./changed-object.ts";
import { withoutOwn } from "./changed-writes.ts";
import type { ComparedRequest, RequestMaker, World } from "./compared-request.ts";
import { GROUP } from "./custom-kinds.ts";
import { OddJson } from "./json-text.ts";
import { oddProtobuf } from "./protobuf-bytes.ts";
import { OddYaml } from "./yaml-text.ts";

const VALIDATIONS = ["", "", "", "&fieldValidation=Strict", "&fieldValidation=Warn", "&fieldValidation=Ignore"];

/** Valid objects in unusual JSON. */
export const jsonTexts: RequestMaker = (random, world) => {
  const oddness = { often: random.pick([0.005, 0.02, 0.05]), isWrong: random.chance(0.2) };
  const writer = new OddJson(random, oddness);
  const { request, body } = writeOf(random, world);
  if (random.chance(0.01)) return deep(random);
  return sent(request, writer.text(body), request.type ?? "application/json");
};

/** Valid objects in unusual YAML. */
export const yamlTexts: RequestMaker = (random, world) => {
  const writer = new OddYaml(random, random.pick([0.005, 0.02, 0.05]));
  const { request, body } = writeOf(random, world, true);
  return sent(request, writer.text(body), request.type ?? "application/yaml");
};

/** Valid objects in unusual or malformed protobuf. */
export const protobufBodies: RequestMaker = (random, world) => {
  const { path, object } = random.pick(world.examples.filter(({ path }) => !path.includes(GROUP)));
  const isCreation = random.chance(0.7);
  const stored = random.pick(world.stored.filter(({ path }) => !path.includes(GROUP)));
  const odd = oddProtobuf(random, isCreation ? object : withoutOwn(stored.mine));
  if (odd === undefined) return jsonTexts(random, world);
  const { bytes, what } = odd;
  return {
    method: isCreation ? "POST" : "PUT",
    path: `${isCreation ? path : `${stored.path}/${stored.mine.metadata.name}`}?dryRun=All${random.pick(VALIDATIONS)}`,
    type: "application/vnd.kubernetes.protobuf",
    headers: { Accept: "application/json" },
    bodies: [bytes, bytes],
    comparesVerdicts: true,
    view: withoutMadeName,
    what,
  };
};

/** Removes a generated name, which differs between the servers. */
function withoutMadeName(body: Parsed): Parsed {
  const { generateName, name, ...metadata } = body?.metadata ?? {};
  return { ...body, metadata: { ...metadata, generateName, ...(!generateName && { name }) } };
}

type Write = Omit<ComparedRequest, "what" | "bodies">;

const sent = (request: Write, text: string, type: string): ComparedRequest => ({
  ...request,
  type,
  bodies: [text, text],
  comparesVerdicts: true,
  what: JSON.stringify(text).slice(0, 3000),
  // Kubernetes prints raw data as it was sent; this server does not.
  ...(request.path.includes("/controllerrevisions") && { view: ({ data: _, ...body }: Parsed) => body }),
});

/** Returns a request that is accepted with the unchanged body. */
function writeOf(random: Random, world: World, isYaml = false): { request: Write; body: Parsed } {
  const options = `?dryRun=All${random.pick(VALIDATIONS)}`;
  const examples = random.chance(0.3) ? world.examples.filter(({ path }) => path.includes(GROUP)) : world.examples;
  const { path, object } = random.pick(examples);
  const creation: { request: Write; body: Parsed } = {
    request: { method: "POST", path: path + options },
    body: withFree(random, object),
  };
  if (random.chance(0.5)) return creation;
  const inGroup = random.chance(0.3);
  const { path: list, mine } = random.pick(world.stored.filter(({ path: each }) => !inGroup || each.includes(GROUP)));
  const own = withoutOwn(mine);
  const one = `${list}/${mine.metadata.name}${options}`;
  const { name } = mine.metadata;
  const part = partOf(random, withFree(random, own));
  const patch = (type: string, more = ""): Write => ({
    method: "PATCH",
    path: one + more,
    type: `application/${type}`,
  });
  const applied = { ...part, metadata: { ...part.metadata, name } };
  const apply = { request: patch("apply-patch+yaml", "&fieldManager=f&force=true"), body: applied };
  if (isYaml)
    return random.chance(0.7) ? apply : { request: { method: "PUT", path: one }, body: withFree(random, own) };
  return random.one<{ request: Write; body: Parsed }>(
    () => ({ request: { method: "PUT", path: one }, body: withFree(random, own) }),
    () => apply,
    () => ({ request: patch("merge-patch+json"), body: part }),
    () => ({ request: patch("strategic-merge-patch+json"), body: part }),
    () => ({
      request: patch("json-patch+json"),
      body: [
        // Kubernetes compares the source text that an operation tests, including escapes.
        { op: "add", path: "/metadata/annotations", value: { a: "b", "c/d": "e" } },
        { op: "replace", path: "/metadata/annotations/c~1d", value: "f", from: "x" },
      ],
    }),
  );
}

/** Adds values that no schema describes, if the kind allows them. */
function withFree(random: Random, object: Parsed): Parsed {
  const annotations = { ...object.metadata?.annotations, "example.com/note": "a note: 1" };
  const noted = random.chance(0.5) ? { ...object, metadata: { ...object.metadata, annotations } } : object;
  const free = {
    number: 1,
    fraction: 1.5,
    text: "x",
    list: [1, "a", { b: null }],
    map: { a: { b: true } },
    big: 12_345,
  };
  if (object.kind === "Gadget") return { ...noted, free, more: [free, free] };
  if (object.kind === "Widget") return { ...noted, spec: { ...noted.spec, free: { ...free, known: 3 } } };
  if (object.kind === "ControllerRevision") return { ...noted, data: free };
  return noted;
}

/** Returns nested lists and maps, up to depths that servers reject. */
function deep(random: Random): ComparedRequest {
  const depth = random.pick([50, 100, 200, 10_001, 20_000]);
  const [start, end] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
  ] as const);
  const [path, version, kind, field] = random.pick([
    [`/apis/${GROUP}/v1/gadgets`, `${GROUP}/v1`, "Gadget", "a"],
    ["/apis/apps/v1/namespaces/default/controllerrevisions", "apps/v1", "ControllerRevision", "data"],
    ["/api/v1/namespaces/default/configmaps", "v1", "ConfigMap", "unknown"],
  ] as const);
  const head = `{"apiVersion":"${version}","kind":"${kind}","metadata":{"name":"deep"},"${field}":`;
  const body = `${head}${start.repeat(depth)}1${end.repeat(depth)}}`;
  const query = `?dryRun=All${random.pick(VALIDATIONS)}`;
  return { method: "POST", path: path + query, bodies: [body, body], what: `${kind}: ${depth} ${start}` };
}

import { registry } from "../../../generated/registry.ts";
import type { ResourceDescriptor } from "../../../runtime/contract/resource-descriptor.ts";
import type { TypeRef } from "../../../runtime/contract/type-table.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { partOf } from "./changed-object.ts";
import type { ComparedRequest, SequenceMaker, World } from "./compared-request.ts";
import type { Example } from "./example-objects.ts";
import { LATER_EXAMPLES } from "./later-examples.ts";
import { PlausibleObjects } from "./plausible-objects.ts";

/** Kinds whose objects affect requests for others. */
const DECIDING =
  /quotas|policybindings|\/namespaces$|customresourcedefinitions|flowschemas|levelconfig|compare\.example/;
const STEPS = 5;
const META = ";g=meta.k8s.io;v=v1";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const FORMS = [
  ...["application/json", "application/yaml", PROTOBUF],
  ...["application/json", "application/yaml"].map((type) => `${type};as=Table${META}`),
  ...[`${PROTOBUF};as=Table${META},application/json;as=Table${META}`],
  ...["application/json", PROTOBUF].map((type) => `${type};as=PartialObjectMetadata${META}`),
];
const LABELS = {
  "node-role.kubernetes.io/control-plane": "",
  "node-role.kubernetes.io/worker": "x",
  "kubernetes.io/role": "edge",
  "job-name": "a",
};
const ANNOTATIONS = {
  "deployment.kubernetes.io/revision": "3",
  "storageclass.kubernetes.io/is-default-class": "true",
  "ingressclass.kubernetes.io/is-default-class": "true",
  "autoscaling.alpha.kubernetes.io/metrics": "[]",
};

/** kube-apiserver has no tables of the status of a ResourceClaim; this server has. */
const WITHOUT_TABLE = "ResourceClaim";

const { resources } = registry.readCatalogue();
const types = registry.createTypeSource();

/** Whether an example is used. Not if it contains a node port, which can be allocated only once while the sequences overlap. */
const isUsed = ({ path, object }: Example): boolean =>
  !DECIDING.test(path) && !JSON.stringify(object).includes('"nodePort":');

/** One version of a kind. */
interface Version {
  readonly resource: ResourceDescriptor;
  /** Path of the list. */
  readonly path: string;
  readonly apiVersion: string;
}

/** Objects with statuses that are written, changed and read in every version and format. */
export const forms: SequenceMaker = (random, world) => {
  const example = random.pick(random.chance(0.25) ? LATER_EXAMPLES : world.examples.filter(isUsed));
  const versions = versionsOf(example, world);
  const name = `form-${random.int(2 ** 31)}`;
  const [labels, annotations] = [partOf(random, LABELS, false), partOf(random, ANNOTATIONS, false)];
  const metadata = { ...example.object.metadata, name, labels, annotations, finalizers: ["example.com/f"] };
  const body = { ...example.object, metadata };
  if (versions.length === 0) return [];
  const life: Life = { random, example: { ...example, object: body }, versions, name };
  return [
    { method: "POST", path: example.path, bodies: [body, body], headers: accept(random), what: "creation" },
    ...Array.from({ length: STEPS }, () => [step(life), read(life)]).flat(),
    ...(random.chance(0.5)
      ? [{ method: "DELETE", path: `${example.path}/${name}`, what: "deletion" }, read(life)]
      : []),
    ...versions.map((version) => read(life, version)),
    { ...patch(life, "merge-patch+json", { metadata: { finalizers: null } }), what: "end" },
    { method: "DELETE", path: `${example.path}/${name}?gracePeriodSeconds=0`, what: "deletion" },
  ];
};

interface Life {
  readonly random: Random;
  readonly example: Example;
  readonly versions: readonly Version[];
  readonly name: string;
}

const accept = (random: Random): Record<string, string> => ({ Accept: random.pick(FORMS) });

function versionsOf({ path }: Example, { served }: World): Version[] {
  const [, group = "", version = "", rest = ""] =
    /^\/apis?(?:\/([a-z0-9.]+\.[a-z0-9.]+|apps|batch|autoscaling|policy))?\/(v[^/]+)\/(.*)$/.exec(path) ?? [];
  const kind = resources.find((one) => one.group === group && one.resource === rest.replace(/.*\//, ""))?.kind;
  return resources
    .filter((one) => one.group === group && one.kind === kind && served.has(`${group}/${one.version}/${one.resource}`))
    .map((resource) => ({
      resource,
      path: path.replace(`/${version}/`, `/${resource.version}/`),
      apiVersion: group === "" ? resource.version : `${group}/${resource.version}`,
    }));
}

/** Returns a write of the object or its status in some version. */
function step(life: Life): ComparedRequest {
  const { random, example, name, versions } = life;
  const version = random.pick(versions);
  const hasStatus = version.resource.subresources?.some((one) => one.name === "status");
  const isWhole = version.apiVersion === "autoscaling/v1" || !hasStatus || random.chance(0.2);
  const part = isWhole || version.resource.kind === WITHOUT_TABLE ? "" : "/status";
  const status = statusOf(random, version.resource);
  const named = {
    apiVersion: version.apiVersion,
    kind: version.resource.kind,
    metadata: { ...example.object.metadata, name },
  };
  const same = version.path === example.path;
  const whole = {
    ...(same ? example.object : partOf(random, { ...example.object })),
    ...named,
    ...(status && { status }),
  };
  return random.one<ComparedRequest>(
    () => ({
      method: "PUT",
      path: `${version.path}/${name}${part}`,
      bodies: [whole, whole],
      headers: accept(random),
      what: "put",
    }),
    () =>
      patch(
        life,
        random.pick(["merge-patch+json", "strategic-merge-patch+json"]),
        status ? { status: partOfStatus(random, status) } : { metadata: { labels: { d: "e" } } },
        part,
        version,
      ),
    () => {
      const { metadata: _, ...sent } = part === "" ? whole : { ...named, status };
      const body = { ...sent, metadata: { name, labels: { f: "g" } } };
      const query = `${part}?fieldManager=${random.pick(["one", "two"])}&force=true`;
      return patch(life, "apply-patch+yaml", body, query, version);
    },
  );
}

function patch(
  { random, name, versions }: Life,
  type: string,
  body: Parsed,
  more = "",
  version = versions[0] as Version,
): ComparedRequest {
  const path = `${version.path}/${name}${more}`;
  return {
    method: "PATCH",
    path,
    type: `application/${type}`,
    bodies: [body, body],
    headers: accept(random),
    what: `${type} ${more}`,
  };
}

function statusOf(random: Random, { type }: ResourceDescriptor): Parsed {
  const status = new PlausibleObjects(types, random, NOW).member(type as TypeRef, "status");
  if (type === "core/v1.Pod") {
    const ips = random.pick([["10.0.0.1"], ["10.0.0.1", "2001:db8::1"], ["2001:db8::1"]]).map((ip) => ({ ip }));
    Object.assign(status, { podIP: ips[0]?.ip, podIPs: ips, hostIP: ips[0]?.ip, hostIPs: ips });
    for (const name of ["qosClass", "resize", "resourceClaimStatuses"]) delete status[name];
    for (const list of ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"])
      for (const { resources } of status[list] ?? []) delete resources?.claims;
  }
  // For other metrics, this server adds an annotation to autoscaling/v1 that Kubernetes does not have, so that they are not lost.
  if (type.endsWith("HorizontalPodAutoscaler"))
    status.currentMetrics = status.currentMetrics?.filter(
      ({ resource, containerResource, pods }: Parsed) => resource ?? containerResource ?? pods,
    );
  return status;
}

/** For kube-apiserver an empty `allocatable` is an absent field, although it shows the default. */
function partOfStatus(random: Random, status: Parsed): Parsed {
  const { allocatable, ...part } = partOf(random, status, false);
  return allocatable === undefined || Object.keys(allocatable).length === 0 ? part : { ...part, allocatable };
}

/** Time in the statuses, fixed so that a seed creates the same ones every day. */
const NOW = Date.parse("2026-11-01T00:00:00Z") / 1000;

function read(life: Life, version = life.random.pick(life.versions)): ComparedRequest {
  const { random, name } = life;
  const isList = random.chance(0.2);
  const form = random.pick(FORMS);
  const query = [
    ...(isList ? [`fieldSelector=metadata.name%3D${name}`] : []),
    ...(form.includes("Table")
      ? [random.pick(["includeObject=None", "includeObject=Object", "includeObject=Metadata"])]
      : []),
    ...(random.chance(0.2) ? ["pretty=true"] : []),
  ].join("&");
  return {
    method: "GET",
    path: `${version.path}${isList ? "" : `/${name}${version.resource.kind !== WITHOUT_TABLE && random.chance(0.1) ? "/status" : ""}`}?${query}`,
    headers: { Accept: isList ? form.replaceAll("PartialObjectMetadata", "PartialObjectMetadataList") : form },
    what: form,
  };
}

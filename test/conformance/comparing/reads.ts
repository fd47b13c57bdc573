import type { Random } from "../../hostile/random.ts";
import type { ComparedRequest, Listed, Pair, RequestMaker } from "./compared-request.ts";

const LABELS = [
  ...["app=x", "app==x", "app!=x", "app", "!app", "app in (x,y)", "app notin (x)", "app in ()", "app in (x", "app>1"],
  ...[
    "app<x",
    "=",
    "=x",
    "app=x,",
    ",app=x",
    "é=x",
    "app=é",
    "a/b/c=x",
    "app=x=y",
    "app in x",
    "(app)",
    " app = x ",
    "!",
    "!!app",
  ],
  ...[
    "example.com/a=b",
    "app exists",
    "app=x,app=y",
    "notin in (in)",
    `${"x".repeat(64)}=a`,
    `app=${"x".repeat(64)}`,
    "",
  ],
];
const FIELDS = [
  ...["metadata.name=example-1", "metadata.name==example-1", "metadata.name!=example-1", "metadata.namespace=default"],
  ...[
    "metadata.namespace!=default",
    "metadata.namespace=other",
    "metadata.name",
    "metadata.name=",
    "=",
    "x=y",
    "spec.nodeName=",
  ],
  ...[
    "status.phase=Pending",
    "type=Opaque",
    "spec.unschedulable=false",
    "metadata.name=a,metadata.name=b",
    "metadata.uid=x",
  ],
  ...[
    "metadata.labels=x",
    "involvedObject.kind=Pod",
    "spec.signerName!=a",
    "metadata.name=a\\,b",
    "metadata.name=\\x",
    "",
  ],
  ...["metadata.name>a", "!metadata.name", "metadata.name=A b"],
];
const VERSIONS = ["", "0", "x", "-1", "1.5", "99999999999999999999999"];
const ACCEPTS = [
  ...["application/json", "application/yaml", "*/*", "application/*", "application/json;as=Table;v=v1;g=meta.k8s.io"],
  ...["application/json;as=Table;v=v1beta1;g=meta.k8s.io", "application/json;as=Table;v=v2;g=meta.k8s.io"],
  ...[
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  ],
  ...[
    "application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io",
    "application/yaml;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  ],
  ...[
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
    "application/json;as=Other;v=v1;g=meta.k8s.io,application/json",
  ],
  ...[
    "application/vnd.kubernetes.protobuf",
    "application/vnd.kubernetes.protobuf,application/json;q=0.5",
    "text/html",
    "text/plain",
  ],
  ...[
    "application/cbor",
    "application/json;q=0",
    "application/json;as=Table",
    "application/json;pretty=1",
    "",
    "a",
    "application/",
  ],
];

/** Kinds of which servers have their own objects, in another namespace. */
const SYSTEM = /\/(configmaps|leases|endpoints|endpointslices|secrets)$/;

/** Gets and lists with valid, invalid and mutually exclusive query parameters. */
export const reads: RequestMaker = (random, { lists, stored }) => {
  const accept = random.chance(0.5) ? "application/json" : random.pick(ACCEPTS);
  const read = (path: string, queries: Pair<string>): ComparedRequest => ({
    method: random.chance(0.97) ? "GET" : "HEAD",
    path: [`${path}${queries[0]}`, `${path}${queries[1]}`],
    headers: { Accept: accept },
    what: accept,
  });
  if (random.chance(0.25)) {
    const { path, mine } = random.pick(stored);
    const name = random.chance(0.9) ? mine.metadata.name : "absent";
    return read(
      `${path}/${name}`,
      queryOf(random, random.pick(lists), ["resourceVersion", "pretty", "includeObject", "x"]),
    );
  }
  const list = random.pick(lists);
  const path = random.chance(0.2) && !SYSTEM.test(list.path) ? list.path.replace("/namespaces/default", "") : list.path;
  return read(path, queryOf(random, list, Object.keys(PARAMETERS)));
};

type Value = (random: Random, list: Listed) => string | Pair<string>;

const version: Value = (random, { versions }) => (random.chance(0.5) ? versions : random.pick(VERSIONS));

const PARAMETERS: Readonly<Record<string, Value>> = {
  limit: (random) => random.pick(["0", "1", "2", "500", "-1", "x", "", "1.5", "99999999999999999999", "+1"]),
  continue: (random, { tokens }) =>
    random.chance(0.6)
      ? tokens
      : random.pick(["", "x", "e30", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYSJ9"]),
  resourceVersion: version,
  resourceVersionMatch: (random) => random.pick(["Exact", "NotOlderThan", "", "exact", "Other"]),
  labelSelector: (random) => encodeURIComponent(random.pick(LABELS)),
  fieldSelector: (random) => encodeURIComponent(random.pick(FIELDS)),
  timeoutSeconds: (random) => random.pick(["1", "x", "", "5"]),
  pretty: (random) => random.pick(["true", "1", "false", "0", "", "x"]),
  includeObject: (random) => random.pick(["None", "Metadata", "Object", "none", "", "x"]),
  sendInitialEvents: (random) => random.pick(["true", "false", "x"]),
  allowWatchBookmarks: (random) => random.pick(["true", "false", "x"]),
  watch: (random) => random.pick(["false", "0"]),
  x: () => "y",
};

export function queryOf(random: Random, list: Listed, names: readonly string[], first = ""): Pair<string> {
  const queries: [string[], string[]] = first === "" ? [[], []] : [[first], [first]];
  for (let times = 1 + random.int(3); times > 0; times--) {
    const name = random.pick(names);
    const value = PARAMETERS[name]?.(random, list) ?? "";
    for (const side of [0, 1] as const)
      queries[side].push(`${name}=${typeof value === "string" ? value : value[side]}`);
  }
  return [`?${queries[0].join("&")}`, `?${queries[1].join("&")}`];
}

import type { Answer, Parsed } from "../../fixtures/plane-client.ts";

/** Fields whose values each server chooses. */
const CHOSEN = new Set([
  ...[
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "time",
    "resourceVersion",
    "clusterIP",
    "clusterIPs",
    "nodePort",
  ],
  ...["token", "expirationTimestamp", "jwks_uri", "serverAddressByClientCIDRs", "hash"],
  ...["gitCommit", "buildDate", "goVersion", "compiler"],
]);
const HEADERS = ["content-type", "cache-control", "retry-after", "allow", "location", "www-authenticate"];

/** What two servers must answer alike: without what each of them chooses, and what Go prints in any order. */
export function comparableAnswer(
  { status, headers, text }: Pick<Answer, "status" | "headers" | "text">,
  view: (body: Parsed) => unknown = (body) => body,
): unknown {
  const warnings = withoutChosen([headers.warning ?? []].flat().join(", "));
  const said = HEADERS.map((name) => `${name}: ${headers[name] ?? ""}`);
  const answer = { status, warnings, headers: said, isIndented: /\n {2,}"/.test(text) };
  const known = withoutChosen(text);
  const values = known.split("\n").filter((line) => line !== "");
  const parsed = values.map(parse);
  if (parsed.includes(undefined)) {
    const whole = parse(known);
    if (whole === undefined) return { ...answer, text: isBinary(headers["content-type"]) ? "" : known };
    return { ...answer, ...comparableBody(whole, view) };
  }
  if (parsed.length === 1) return { ...answer, ...comparableBody(parsed[0], view) };
  return { ...answer, events: parsed.map((event) => comparableBody(event, view)) };
}

/** Durations, of which each server knows others, and why credentials were refused, which only this server tells. */
const OWN_ANNOTATIONS = /^apiserver\.latency\.k8s\.io\/|^authentication\.k8s\.io\/failure-reason$/;

/** An audit event, in the same way. */
export function comparableEvent(line: string): unknown {
  const known = JSON.stringify(
    JSON.parse(line, (_, value) => (typeof value === "string" ? withoutChosen(value) : value)),
  );
  const { stageTimestamp, requestReceivedTimestamp, responseObject, responseStatus, ...event } = parse(known);
  for (const key of Object.keys(event.annotations ?? {})) if (OWN_ANNOTATIONS.test(key)) delete event.annotations[key];
  if (Object.keys(event.annotations ?? {}).length === 0) delete event.annotations;
  event.requestURI = event.requestURI.replaceAll(/continue=[^&]*/g, "continue");
  const body = responseObject === undefined ? undefined : comparableBody(responseObject, (each) => each);
  const status = comparableBody({ kind: "Status", ...responseStatus }, (each) => each);
  return {
    ...event,
    times: [typeof stageTimestamp, typeof requestReceivedTimestamp],
    responseStatus: responseStatus && { ...status, code: responseStatus.code, status: responseStatus.status },
    responseObject: body,
  };
}

const isBinary = (type = ""): boolean => /protobuf|cbor/.test(type);

/** Go's diffs have one of two kinds of spaces, and bindings are looked at in any order. */
function withoutChosen(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID")
    .replaceAll(/10\.96\.\d+\.\d+/g, "ADDRESS")
    .replaceAll(/(127\.0\.0\.1:)\d+/g, "$1PORT")
    .replaceAll(/:3[0-2]\d{3}\//g, ":PORT/")
    .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/([Gg]enerated[-._]x*)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "$1SUFFIX")
    .replaceAll(/(resourceVersion|odePort|resource version|current)(\W+)\d+/g, "$1$20")
    .replaceAll(/(serverAddress: ).*|(ResourceVersion in [a-z ]+\()\d+/g, "$1$2")
    .replaceAll(/(in precondition: |in object meta: )\d+/g, "$1")
    .replaceAll(/(continue: |targetPort: )\S+/g, "$1")
    .replaceAll(/kube-api-access-[a-z0-9]{5}/g, "kube-api-access")
    .replaceAll("\u00a0", " ")
    .replaceAll(/selfType\d+/g, "selfType")
    .replaceAll(/RBAC: allowed by [^}]*/g, "RBAC: allowed")
    .replaceAll(/0xc0[0-9a-f]{8}/g, "POINTER");
}

/** TypeScript's library does not know the third argument yet: the text of a scalar. */
const parseWithSources = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => Parsed;

function parse(text: string): Parsed {
  try {
    return parseWithSources(text, (name, value, { source }) => {
      // Numbers are compared as they are printed.
      if (typeof value === "number" && source !== String(value)) return `number ${source}`;
      if (name === "continue" && typeof value === "string") return tokenStart(value);
      // What autoscaling/v1 cannot hold is not lost here.
      if (name === "conversion.k8s.io/carried") return undefined;
      if (isOwnService(value)) return "kubernetes";
      if (name === "managedFields" && Array.isArray(value)) return inOrderOfNames(value);
      return CHOSEN.has(name) && value !== null ? "" : value;
    });
  } catch {
    return undefined;
  }
}

/** Owners are sorted by their times first, which are other ones on each server. */
function inOrderOfNames(owners: Parsed[]): Parsed[] {
  const nameOf = ({ manager, operation, apiVersion, subresource }: Parsed) =>
    JSON.stringify([manager, operation, apiVersion, subresource]);
  return owners.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** The Service of the server itself has the port of each. */
const isOwnService = (value: unknown): boolean =>
  (value as Parsed)?.metadata?.name === "kubernetes" && (value as Parsed).spec !== undefined;

/** Where the next page begins: the rest of a token is a version. Pages that Kubernetes makes of its cache begin with a slash. */
function tokenStart(token: string): string {
  try {
    return (JSON.parse(Buffer.from(token, "base64url").toString()) as { start: string }).start.replace(/^\//, "");
  } catch {
    return token;
  }
}

function comparableBody(body: Parsed, view: (body: Parsed) => unknown): Parsed {
  if (body?.kind === "Table") return { body: comparableTable(body) };
  if (body?.object?.kind === "Table") return { body: { ...body, object: comparableTable(body.object) } };
  if (body?.kind === "SelfSubjectRulesReview") return { body: { ...body, status: rulesInAnyOrder(body.status) } };
  if (body?.kind !== "Status") return { body: view(body) };
  const { message = "", reason, details } = body;
  const { causes, ...named } = details ?? {};
  return { reason, message: inAnyOrder(message), details: named, causes: causes?.map(causeOf).sort() };
}

/** Without the descriptions of columns, which each project writes for itself. */
function comparableTable({ columnDefinitions, rows, ...table }: Parsed): Parsed {
  const columns = columnDefinitions?.map(({ description: _, ...column }: Parsed) => column);
  return { ...table, columnDefinitions: columns, rows: rows?.map(withoutAges) };
}

function rulesInAnyOrder(status: Parsed): Parsed {
  const sorted = (rules: Parsed[]) => rules?.map((rule) => JSON.stringify(rule)).sort();
  return {
    ...status,
    resourceRules: sorted(status?.resourceRules),
    nonResourceRules: sorted(status?.nonResourceRules),
  };
}

function withoutAges(row: Parsed): Parsed {
  const isAge = (cell: unknown) => typeof cell === "string" && /^(\d+[smhd])+$/.test(cell);
  return { ...row, cells: row.cells.map((cell: unknown) => (isAge(cell) ? "AGE" : cell)) };
}

const causeOf = ({ reason, field, message = "" }: Parsed): string => `${reason} ${field} ${inAnyOrder(message)}`;

/** Errors of maps come in the order in which Go walks them, which is another one each time. */
const inAnyOrder = (message: string): string => [...message].sort().join("");

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

/**
 * Returns the parts of a response that must be equal on both servers: without values that each server chooses, and without the random order
 * of Go maps.
 */
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

/** Durations, which differ in name between the servers, and the reason of failed authentication, which only this server provides. */
const OWN_ANNOTATIONS = /^apiserver\.latency\.k8s\.io\/|^authentication\.k8s\.io\/failure-reason$/;

/** Returns the comparable parts of an audit event. */
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

/**
 * Replaces values that a server chooses. Also normalizes the two kinds of spaces in Go's diffs, and the name of the binding that allowed a
 * request, because bindings are evaluated in any order.
 */
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

/** TypeScript's library does not declare the third argument yet: the source of a primitive value. */
const parseWithSources = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => Parsed;

function parse(text: string): Parsed {
  try {
    return parseWithSources(text, (name, value, { source }) => {
      // Numbers are compared as printed.
      if (typeof value === "number" && source !== String(value)) return `number ${source}`;
      if (name === "continue" && typeof value === "string") return tokenStart(value);
      // This server does not lose values that autoscaling/v1 cannot represent.
      if (name === "conversion.k8s.io/carried") return undefined;
      if (isOwnService(value)) return "kubernetes";
      if (name === "managedFields" && Array.isArray(value)) return inOrderOfNames(value);
      return CHOSEN.has(name) && value !== null ? "" : value;
    });
  } catch {
    return undefined;
  }
}

/** Sorts managedFields by name. Servers sort them by time first, which differs between the servers. */
function inOrderOfNames(owners: Parsed[]): Parsed[] {
  const nameOf = ({ manager, operation, apiVersion, subresource }: Parsed) =>
    JSON.stringify([manager, operation, apiVersion, subresource]);
  return owners.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Whether the value is the Service of the server itself, which contains its port. */
const isOwnService = (value: unknown): boolean =>
  (value as Parsed)?.metadata?.name === "kubernetes" && (value as Parsed).spec !== undefined;

/** Returns where the next page begins; the rest of a token is a version. Tokens from the cache of Kubernetes begin with a slash. */
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

/** Removes the descriptions of columns, which each project writes itself. */
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

/** Errors about maps are in Go's random map order, so messages are compared without regard to order. */
const inAnyOrder = (message: string): string => [...message].sort().join("");

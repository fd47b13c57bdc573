import type { Attacker } from "../input.ts";
import type { Random } from "../random.ts";
import { anyUser, asTarget, collectionPath, ENDPOINTS, NAMESPACES, OBJECT_NAMES } from "./targets.ts";

const METHODS = ["GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const ROOTS = [
  "/",
  "/api",
  "/apis",
  "/version",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/apis/apps/v1",
  "/metrics",
  "/metrics/slis",
  "/healthz",
  "/livez",
  "/readyz",
  "/.well-known/openid-configuration",
  "/openid/v1/jwks",
  "/logs",
  "/debug/pprof",
  "/api/v1",
  "/apis/apps",
  "/apis/apps/v1",
  "/api/v1/watch",
  "/api/v1/proxy",
];

const isFlowControl = (target: string): boolean =>
  target
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .includes("flowcontrol");

/** Paths and queries of every shape. */
export const paths: Attacker = {
  name: "paths",
  lanes: 12,
  // A request may set its own timeout.
  expects: [504],
  make(random) {
    const target = asTarget(`${path(random)}${random.chance(0.7) ? `?${queryString(random)}` : ""}`);
    const user = anyUser(random);
    const method = random.pick(METHODS);
    return {
      kind: "request",
      request: {
        // An administrator who deletes all FlowSchemas locks out everyone for a minute, in Kubernetes as well.
        as: method === "DELETE" && user === "admin" && isFlowControl(target) ? "nobody" : user,
        method,
        target,
        headers: random.chance(0.3)
          ? [["Accept", random.pick(["application/json;as=Table;g=meta.k8s.io;v=v1", "application/yaml", "*/*"])]]
          : [],
      },
    };
  },
};

function path(random: Random): string {
  const known = random.chance(0.15) ? random.pick(ROOTS) : objectPath(random);
  if (random.chance(0.4)) return known;
  const segments = known.split("/");
  const at = 1 + random.int(segments.length);
  const segment = random.one(
    () => random.hostileName(),
    () => escaped(random, random.hostileString(5000)),
    () => escaped(random, segments[at] ?? "x"),
    () => "",
    () => "/".repeat(random.length(5000)),
    () => random.pick([".", "..", "%2e%2e", "%2f", "%00", "%", "%zz", "%c0%af", "watch", "proxy", "namespaces"]),
  );
  segments.splice(at, random.int(2), segment);
  const joined = segments.join("/");
  return joined.startsWith("/") ? joined : `/${joined}`;
}

function objectPath(random: Random): string {
  const endpoint = random.pick(ENDPOINTS);
  let text = collectionPath(endpoint, random.pick(NAMESPACES));
  if (random.chance(0.1)) text = text.replace("/v1/", "/v1/watch/");
  if (random.chance(0.6)) text += `/${random.pick(OBJECT_NAMES)}`;
  if (random.chance(0.2))
    text += `/${random.pick([...endpoint.subresources, "status", "scale", "log", "exec", "proxy"])}`;
  return text;
}

/** Returns the text with each character randomly unescaped, escaped in upper or lower case, or escaped twice. */
function escaped(random: Random, text: string): string {
  const always = random.chance(0.3);
  return [...Buffer.from(text.slice(0, 5000))]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (!always && /[A-Za-z0-9._~-]/.test(character)) return character;
      const hex = byte.toString(16).padStart(2, "0");
      return `%${random.chance(0.02) ? "25" : ""}${random.chance(0.5) ? hex : hex.toUpperCase()}`;
    })
    .join("");
}

const NUMBERS = ["0", "1", "-1", "5", "500", "9223372036854775807", "9223372036854775808", "1e3", "0x10", " 1", ""];
const FIELDS = ["metadata.name", "metadata.namespace", "spec.nodeName", "status.phase", "type", "involvedObject.name"];

function queryString(random: Random): string {
  return Array.from({ length: 1 + random.int(5) }, () => parameter(random)).join(random.chance(0.95) ? "&" : ";");
}

function parameter(random: Random): string {
  const hostile = (): string => escaped(random, random.hostileString(5000));
  const [name, value] = random.pick<readonly [string, () => string]>([
    ["labelSelector", () => escaped(random, selector(random))],
    ["fieldSelector", () => escaped(random, fieldSelector(random))],
    ["watch", () => random.pick(["1", "true", "0", "x", ""])],
    ["timeoutSeconds", () => random.pick(["1", "1", "0", "-1", "x", "9223372036854775807"])],
    ["timeout", () => random.pick(["1s", "0", "-1s", "1ns", "x", "9999999h"])],
    ["resourceVersion", () => random.pick(NUMBERS)],
    ["resourceVersionMatch", () => random.pick(["Exact", "NotOlderThan", "x", ""])],
    ["limit", () => random.pick(NUMBERS)],
    ["continue", () => continueToken(random)],
    ["sendInitialEvents", () => random.pick(["true", "false", "x"])],
    ["allowWatchBookmarks", () => random.pick(["true", "false", "x"])],
    ["includeObject", () => random.pick(["None", "Metadata", "Object", "x"])],
    ["fieldManager", hostile],
    ["fieldValidation", () => random.pick(["Strict", "Warn", "Ignore", "x"])],
    ["dryRun", () => random.pick(["All", "x", ""])],
    ["force", () => random.pick(["true", "x"])],
    ["pretty", () => random.pick(["true", "1", "x", ""])],
    ["gracePeriodSeconds", () => random.pick(NUMBERS)],
    ["propagationPolicy", () => random.pick(["Orphan", "x"])],
    ["orphanDependents", () => random.pick(["true", "x"])],
    ["verbose", () => ""],
    ["exclude", hostile],
    ["container", hostile],
    ["command", hostile],
    ["path", hostile],
    ["ports", () => random.pick(NUMBERS)],
  ]);
  const key = random.chance(0.05) ? escaped(random, random.hostileString(200)) : name;
  const written = random.chance(0.1) ? hostile() : value();
  return random.chance(0.02) ? key : `${key}=${written}`;
}

function selector(random: Random): string {
  const key = (): string => (random.chance(0.7) ? random.pick(["app", "a/b", "x"]) : random.hostileString(300));
  const value = (): string => (random.chance(0.7) ? random.pick(["a", "b", ""]) : random.hostileString(300));
  return Array.from({ length: random.length(400) }, () =>
    random.one(
      () => `${key()}=${value()}`,
      () => `${key()}!=${value()}`,
      () => `${key()} in (${random.times(4, value).join(",")})`,
      () => `${key()} notin (${value()}`,
      () => `!${key()}`,
      key,
      () => `${key()}>${random.pick(NUMBERS)}`,
    ),
  ).join(",");
}

function fieldSelector(random: Random): string {
  return Array.from({ length: random.length(400) }, () => {
    const field = random.chance(0.8) ? random.pick(FIELDS) : random.hostileString(300);
    return `${field}${random.pick(["=", "==", "!=", "\\=", ""])}${random.chance(0.6) ? "one" : random.hostileString(300)}`;
  }).join(",");
}

function continueToken(random: Random): string {
  const token = random.one<unknown>(
    () => ({ v: "meta.k8s.io/v1", rv: random.int(1000), start: random.hostileString(200) }),
    () => ({ v: random.hostileString(50), rv: random.hostileString(50), start: "../../secrets/x\0" }),
    () => random.hostileString(200),
  );
  const text = Buffer.from(typeof token === "string" ? token : JSON.stringify(token)).toString("base64url");
  return random.chance(0.2) ? `${text.slice(1)}=` : text;
}

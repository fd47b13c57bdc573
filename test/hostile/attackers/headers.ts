import type { Attacker } from "../input.ts";
import type { Random } from "../random.ts";
import { anyUser, collectionPath, ENDPOINTS, NAMESPACES } from "./targets.ts";

/** Headers that the server reads, with unexpected values. */
export const headers: Attacker = {
  name: "headers",
  lanes: 8,
  make(random) {
    const target = random.chance(0.8)
      ? `${collectionPath(random.pick(ENDPOINTS), random.pick(NAMESPACES))}${random.chance(0.1) ? "?limit=2" : ""}`
      : random.pick(["/version", "/apis", "/api", "/openapi/v2", "/openapi/v3", "/metrics", "/readyz"]);
    const sent = Array.from({ length: 1 + random.int(4) }, () => header(random));
    const method = random.pick(["GET", "GET", "GET", "OPTIONS", "HEAD", "POST", "PATCH"]);
    const hasBody = method === "POST" || method === "PATCH";
    return {
      kind: "request",
      request: {
        as: anyUser(random),
        method,
        target,
        headers: sent,
        ...(hasBody && { body: Buffer.from(random.hostileString(200)) }),
      },
    };
  },
};

const TYPES = [
  "application/json",
  "application/yaml",
  "application/cbor",
  "application/cbor-seq",
  "application/vnd.kubernetes.protobuf",
  "application/json;as=Table;g=meta.k8s.io;v=v1",
  "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
  "application/json;as=Owners",
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
  "application/openmetrics-text;version=1.0.0",
  "text/plain",
  "*/*",
  "application/*",
];

function header(random: Random): readonly [string, string] {
  const any = (): string => printable(random.hostileString(10_000));
  return random
    .pick<readonly [string, () => string]>([
      ["Accept", () => mediaRanges(random)],
      ["Accept", () => mediaRanges(random)],
      ["Content-Type", () => mediaRanges(random)],
      ["Authorization", () => authorization(random)],
      ["Authorization", () => authorization(random)],
      ["Impersonate-User", any],
      ["Impersonate-Group", any],
      ["Impersonate-Uid", any],
      [`Impersonate-Extra-${random.pick(["a", "%zz", "%41", "__proto__", "a%2fb"])}`, any],
      ["X-Remote-User", any],
      ["X-Remote-Group", any],
      [`X-Remote-Extra-${random.pick(["a", "constructor"])}`, any],
      ["Audit-ID", any],
      ["Accept-Encoding", () => random.pick(["gzip", "gzip;q=0", "br, gzip;q=1.0", "identity;q=0", "*;q=0", any()])],
      ["Content-Encoding", () => random.pick(["gzip", "deflate", any()])],
      ["If-None-Match", any],
      ["If-Modified-Since", any],
      ["Range", () => random.pick(["bytes=0-1", "bytes=-1", any()])],
      ["traceparent", () => random.pick(["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", any()])],
      ["tracestate", any],
      ["Cookie", any],
      ["Origin", () => random.pick(["https://example.com", "null", any()])],
      ["Access-Control-Request-Method", any],
      ["Access-Control-Request-Headers", any],
      ["Host", any],
      ["X-Forwarded-For", () => random.pick(["1.2.3.4, 5.6.7.8", "::1", any()])],
      ["X-Real-Ip", any],
      ["User-Agent", any],
      ["Expect", () => random.pick(["100-continue", any()])],
      ["X-HTTP-Method-Override", () => "DELETE"],
      ["Kubectl-Command", any],
      ["Warning", any],
    ])
    .map((part) => (typeof part === "string" ? part : part())) as [string, string];
}

/** Removes characters that would end the header. */
function printable(text: string): string {
  return text.replace(/(?!\t)\p{Cc}/gu, "").trim();
}

function mediaRanges(random: Random): string {
  return Array.from({ length: random.length(300) }, () => {
    const type = random.chance(0.85) ? random.pick(TYPES) : printable(random.hostileString(500));
    const parameters = random.times(
      2,
      () => `;${random.pick(["q=0.5", "q=9", "q=x", "as=Table", "stream=watch", "v=v1"])}`,
    );
    return type + parameters.join("");
  }).join(random.pick([",", ", ", ",,"]));
}

function authorization(random: Random): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? "").toString("base64url");
  const claims = {
    iss: random.pick(["https://kubernetes.default.svc.cluster.local", "https://127.0.0.1", random.hostileString(50)]),
    sub: random.pick(["system:serviceaccount:default:default", random.hostileString(50)]),
    aud: random.pick<unknown>([["https://kubernetes.default.svc.cluster.local"], "x", 5, { __proto__: null }]),
    exp: random.pick<unknown>([9_999_999_999, 0, -1, "x", 1e300]),
    "kubernetes.io": random.pick<unknown>([{ namespace: "default", serviceaccount: { name: "default" } }, 5, null]),
  };
  const algorithm = random.pick(["RS256", "none", "HS256", "ES256", "constructor", "EdDSA"]);
  const jwt = [
    part({ alg: algorithm, kid: random.hostileString(30), crit: ["x"] }),
    part(claims),
    random.bytes(64).toString("base64url"),
  ];
  return random.one(
    () => `Bearer ${jwt.join(".")}`,
    () => `Bearer ${jwt.slice(0, random.int(4)).join(".")}`,
    () => `Bearer ${printable(random.hostileString(10_000))}`,
    () => `bearer  ${jwt.join(".")}.${"x.".repeat(random.length(2000))}`,
    () => `Basic ${Buffer.from(random.hostileString(100)).toString("base64")}`,
    () => printable(random.hostileString(1000)),
  );
}

import type { Reply, Review } from "../../../admission/webhook-server.ts";
import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import { GROUP } from "../custom-kinds.ts";

export type Responder = (review: Review) => Reply;

function patched(operations: unknown): Parsed {
  return { allowed: true, patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(operations)).toString("base64") };
}

const counted =
  (name: string): Responder =>
  ({ request: { object } }) => {
    const annotations = object?.metadata?.annotations;
    if (object?.metadata === undefined) return { allowed: true };
    const value = String(Number(annotations?.[name] ?? 0) + 1);
    const whole = { op: "add", path: "/metadata/annotations", value: { [name]: value } };
    return patched([annotations === undefined ? whole : { op: "add", path: `/metadata/annotations/${name}`, value }]);
  };

const PATCHES: readonly unknown[] = [
  [{ op: "add", path: "/metadata/labels/hooked", value: "yes" }],
  [{ op: "add", path: "/metadata/finalizers", value: ["example.com/hooked"] }],
  [{ op: "add", path: "/spec/replicas", value: 4 }],
  [{ op: "replace", path: "/spec/containers/0/image", value: "hooked" }],
  [{ op: "add", path: "/spec/containers/-", value: { name: "sidecar", image: "s" } }],
  [{ op: "add", path: "/spec/unknown", value: { a: 1 } }],
  [{ op: "add", path: "/status", value: { replicas: 3, phase: "Running", state: "Up" } }],
  [{ op: "add", path: "/metadata/labels", value: null }],
  [{ op: "remove", path: "/metadata/labels/colour" }],
  [{ op: "add", path: "/metadata/ownerReferences", value: [{ apiVersion: "v1", kind: "Pod", name: "a", uid: "b" }] }],
  [{ op: "replace", path: "/spec/code", value: "hooked" }],
  [{ op: "add", path: "/data", value: { hooked: "eA==" } }],
  [
    { op: "test", path: "/kind", value: "Pod" },
    { op: "add", path: "/metadata/annotations", value: { a: "b" } },
  ],
];
const WRONG_PATCHES: readonly unknown[] = [
  [{ op: "replace", path: "/metadata/name", value: "renamed" }],
  [{ op: "remove", path: "/metadata/name" }],
  [{ op: "replace", path: "/metadata/namespace", value: "default" }],
  [{ op: "add", path: "/metadata/uid", value: "12345678-1234-1234-1234-123456789012" }],
  [{ op: "add", path: "/metadata/resourceVersion", value: "1" }],
  [{ op: "add", path: "/metadata/deletionTimestamp", value: "2020-01-01T00:00:00Z" }],
  [{ op: "add", path: "/metadata/creationTimestamp", value: "2020-01-01T00:00:00Z" }],
  [{ op: "add", path: "/metadata/generation", value: 77 }],
  [{ op: "add", path: "/metadata/labels", value: { "not valid": "x" } }],
  [{ op: "add", path: "/metadata/labels", value: "text" }],
  [{ op: "replace", path: "/spec", value: [] }],
  [{ op: "replace", path: "/apiVersion", value: "v9" }],
  [{ op: "replace", path: "/kind", value: "Secret" }],
  [{ op: "remove", path: "/kind" }],
  [{ op: "remove", path: "/metadata" }],
  [{ op: "replace", path: "", value: {} }],
  [{ op: "replace", path: "", value: null }],
  [{ op: "move", path: "/x" }],
  [{ op: "add", path: "/spec/replicas", value: "many" }],
  [],
  null,
  {},
];

const isUnknown = (patch: unknown): boolean => /unknown|"\/data"/.test(JSON.stringify(patch));

/** Returns responses of a mutating webhook, most of which change the object. */
export function mutatingReply(random: Random): Responder {
  const patch = random.pick(PATCHES);
  const wrong = random.pick(WRONG_PATCHES);
  const name = random.pick(["n1", "n2"]);
  if (random.chance(0.35)) return counted(name);
  // Unknown fields of custom objects are removed either when they are stored or immediately.
  const isCustom = ({ request }: Review): boolean => request.kind.group === GROUP;
  if (random.chance(0.5))
    return (review) => (isCustom(review) && isUnknown(patch) ? { allowed: true } : patched(patch));
  if (random.chance(0.35)) return () => patched(wrong);
  return random.chance(0.3) ? refusing(random) : allowing(random);
}

/** Returns responses that allow the request. */
export function allowing(random: Random): Responder {
  const warnings = random.times(2, () => random.pick(["w", 'a "quoted" one', "ü", "x".repeat(300), "", "two\nlines"]));
  const auditAnnotations = random.chance(0.3) ? { auditAnnotations: { a: "b", c: null } } : {};
  const status = random.chance(0.1) ? { status: { message: "ignored", code: 400 } } : {};
  return () => ({ allowed: true, warnings, ...auditAnnotations, ...status });
}

/** Returns responses that reject some requests, or that are malformed. */
export function refusing(random: Random): Responder {
  const refusal = random.pick<Parsed>([
    {},
    { status: { message: "no" } },
    { status: { message: "no", code: 403, reason: "Forbidden" } },
    { status: { reason: "Conflict" } },
    { status: { code: 200, message: "fine" } },
    { status: { code: 429, reason: "TooManyRequests", message: "later", details: { retryAfterSeconds: 7 } } },
    {
      status: {
        code: 599,
        details: { name: "n", kind: "k", group: "g", uid: "u", causes: [{ reason: "R", message: "m", field: "f" }] },
      },
    },
    { status: { code: 404, reason: "NotFound", status: "Success", metadata: { resourceVersion: "5" } } },
    { warnings: ["before"], status: { message: "no\nlines" } },
  ]);
  const wrong = random.pick<Reply>([
    { raw: "" },
    { raw: "{}" },
    { raw: "null" },
    { raw: "[]" },
    { raw: "text" },
    { raw: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}' },
    { raw: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"x","allowed":true}}' },
    { raw: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2","response":{"allowed":true}}' },
    { raw: '{"kind":"Pod","apiVersion":"v1"}' },
    { raw: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","code":409}' },
    { raw: "no", status: 500 },
    { raw: "{}", status: 404 },
    {
      raw: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","reason":"Conflict","code":409}',
      status: 409,
    },
    { raw: "", status: 204 },
    { raw: "", status: 302 },
    { raw: "", status: 429 },
    { allowed: "yes" },
    { allowed: true, patch: "eA==", patchType: "JSONPatch" },
    { allowed: true, patch: "W10=" },
    { allowed: true, patchType: "JSONPatch" },
    { allowed: true, patch: "W10=", patchType: "MergePatch" },
    { allowed: true, patch: "W10=", patchType: "" },
    { uid: "other", allowed: true },
    { allowed: true, warnings: "w" },
  ]);
  const answer: Reply = random.chance(0.6) ? { allowed: false, ...refusal } : wrong;
  const when = random.pick<(review: Review) => boolean>([
    () => true,
    ({ request }) => request.operation === "DELETE",
    ({ request }) => request.operation === "UPDATE",
    ({ request }) => request.object?.metadata?.labels?.colour === "red",
    ({ request }) => request.subResource !== undefined,
    ({ request }) => request.dryRun === true,
    ({ request }) => request.name?.endsWith("-1") === true,
  ]);
  return (review) => (when(review) ? answer : { allowed: true });
}

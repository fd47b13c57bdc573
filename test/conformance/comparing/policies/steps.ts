import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import type { ComparedRequest } from "../compared-request.ts";
import { nextWrite, type Stage } from "../stream-writes.ts";
import { streamedObject } from "../streamed-kinds.ts";

const SCALED = /^(deployments|replicasets|replicationcontrollers|widgets)$/;

/** Returns a write of an object or of one of its subresources, sometimes as a dry run. */
export function policyStep(random: Random, stage: Stage): ComparedRequest[] {
  const requests = random.chance(0.35) ? [special(random, stage)] : nextWrite(random, stage);
  return requests.map((request) => (random.chance(0.15) ? dryRun(request) : request));
}

function dryRun(request: ComparedRequest): ComparedRequest {
  const path = request.path as string;
  if (path.includes("dryRun")) return request;
  return { ...request, path: `${path}${path.includes("?") ? "&" : "?"}dryRun=All` };
}

function special(random: Random, stage: Stage): ComparedRequest {
  const { kind, list, objects, id } = stage;
  const name = random.pick([...objects.keys(), `${id}-0`]);
  const of = (method: string, subresource: string, body: Parsed, type?: string): ComparedRequest => ({
    method,
    path: `${list}/${name}/${subresource}`,
    ...(type !== undefined && { type }),
    bodies: [body, body],
    what: subresource,
  });
  const makers: (() => ComparedRequest)[] = [() => generated(random, stage), () => strict(random, stage, name)];
  if (SCALED.test(kind.plural))
    makers.push(
      () => scale(random, of),
      () => scale(random, of),
    );
  if (kind.plural === "serviceaccounts") makers.push(() => of("POST", "token", tokenRequest()));
  if (kind.plural === "pods")
    makers.push(
      () =>
        of(
          "PATCH",
          "ephemeralcontainers",
          { spec: { ephemeralContainers: [{ name: `e${random.int(3)}`, image: "i" }] } },
          "application/strategic-merge-patch+json",
        ),
      () =>
        of(
          "PATCH",
          "resize",
          { spec: { containers: [{ name: "c", resources: { limits: { cpu: random.pick(["1", "2"]) } } }] } },
          "application/strategic-merge-patch+json",
        ),
      () => connect(random, `${list}/${name}`),
      () => connect(random, `${list}/${name}`),
    );
  return random.pick(makers)();
}

function scale(
  random: Random,
  of: (method: string, subresource: string, body: Parsed, type?: string) => ComparedRequest,
): ComparedRequest {
  const spec = { replicas: random.pick([0, 1, 3, 20]) };
  const labels = random.chance(0.2) ? { metadata: { labels: { colour: "red" } } } : {};
  const type = random.pick(["merge", "merge", "json"]);
  if (type === "json")
    return of(
      "PATCH",
      "scale",
      [{ op: "replace", path: "/spec/replicas", value: spec.replicas }],
      "application/json-patch+json",
    );
  return of("PATCH", "scale", { ...labels, spec }, "application/merge-patch+json");
}

const tokenRequest = (): Parsed => ({
  apiVersion: "authentication.k8s.io/v1",
  kind: "TokenRequest",
  spec: { audiences: ["a"] },
});

/** The pods are not running, so only the result of admission is compared. */
function connect(random: Random, path: string): ComparedRequest {
  const subresource = random.pick([
    "exec?command=a&stdin=true",
    "attach?container=c",
    "portforward?ports=80",
    "proxy/a/b?x=y",
    "proxy",
  ]);
  return { method: random.pick(["GET", "POST"]), path: `${path}/${subresource}`, what: "connect" };
}

function generated(random: Random, { kind, list, id }: Stage): ComparedRequest {
  const metadata = { generateName: "generated-", labels: { episode: id, colour: random.pick(["red", "blue"]) } };
  const body = streamedObject(kind, random.pick(kind.objects), metadata, id);
  return { method: "POST", path: `${list}?dryRun=All`, bodies: [body, body], what: "generated" };
}

function strict(random: Random, { kind, list, id }: Stage, name: string): ComparedRequest {
  const metadata = { name, labels: { episode: id, colour: random.pick(["red", "blue"]) }, unknown: 1 };
  const body = streamedObject(kind, random.pick(kind.objects), metadata, id);
  const query = `fieldValidation=${random.pick(["Strict", "Warn", "Ignore"])}&fieldManager=m`;
  if (random.chance(0.5)) return { method: "POST", path: `${list}?${query}`, bodies: [body, body], what: "strict" };
  return { method: "PUT", path: `${list}/${name}?${query}`, bodies: [body, body], what: "strict" };
}

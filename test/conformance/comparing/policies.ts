import { setTimeout as delay } from "node:timers/promises";
import type { Review, WebhookServer } from "../../admission/webhook-server.ts";
import { differencesOf } from "../../fixtures/differences-of.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { randomLimitRange } from "./admission/quotas.ts";
import { comparableAnswer } from "./comparable-answer.ts";
import type { ComparedRequest, Differences, Pair, World } from "./compared-request.ts";
import { type Episode, type Exchange, objectOf, Versions } from "./episode.ts";
import { randomKinds } from "./policies/matching.ts";
import {
  ALPHA,
  mutatingObjects,
  PARAM_KINDS,
  type Placed,
  paramObjects,
  placed,
  V1,
  validatingObjects,
} from "./policies/policy-objects.ts";
import { policyStep } from "./policies/steps.ts";
import { markerWebhook, webhookObjects } from "./policies/webhook-objects.ts";
import type { Stage } from "./stream-writes.ts";
import { listPath } from "./streamed-kinds.ts";

const STEPS = 24;
const IN_FORCE_MS = 20_000;

/** Writes in a separate namespace that policies and webhooks process. Compares the reviews that webhooks received and the results. */
export const policies: Episode = async (random, world, exchange) => {
  const { reviewers } = world;
  await (keepers ??= keepParameters(exchange));
  const id = `p${random.int(2 ** 31)}`;
  const kinds = randomKinds(random);
  const stages = kinds.map((kind): Stage => {
    return { kind, id, list: listPath(kind, id), versions: new Versions(), objects: new Map() };
  });
  for (const [path, body] of [...basics(random, id), ...paramObjects(id)])
    await exchange.send(creation(path, [body, body]));
  const made: string[] = [];
  const create = async (path: string, bodies: Pair<Parsed>): Promise<void> => {
    const answers = await exchange.send(creation(path, bodies));
    if (answers.some(({ status }) => status === 201)) made.push(`${path}/${bodies[0].metadata.name}`);
  };
  try {
    for (const { path, bodies } of webhookObjects(random, id, kinds, reviewers)) await create(path, bodies);
    for (const [path, body] of policyObjects(random, id, kinds)) await create(path, [body, body]);
    for (const kind of ["Mutating", "Validating"] as const) {
      const { path, bodies } = markerWebhook(kind, id, reviewers);
      await create(path, bodies);
    }
    for (const [path, body] of markerPolicies(id)) await create(path, [body, body]);
    await untilInForce(world, id);
    for (let step = 0; step < STEPS; step++) {
      const stage = random.pick(stages);
      for (const request of policyStep(random, stage)) await compare(request, stage, reviewers, exchange);
    }
  } finally {
    for (const path of made) await exchange.send({ method: "DELETE", path, what: "end", view: () => undefined });
  }
};

let keepers: Promise<void> | undefined;

/**
 * Creates a policy that matches nothing for each kind of parameters: kube-apiserver stops watching a kind without policies and does not start
 * again.
 */
async function keepParameters(exchange: Exchange): Promise<void> {
  for (const [index, paramKind] of PARAM_KINDS.entries()) {
    const resourceRules = [{ apiGroups: ["none"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["none"] }];
    const spec = { paramKind, matchConstraints: { resourceRules }, validations: [{ expression: "true" }] };
    const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }];
    const name = `keeper-${index}`;
    const paramRef = { selector: {}, parameterNotFoundAction: "Allow" };
    const { validations: _, ...shared } = spec;
    const all = [
      ...placed(V1, "Validating", name, spec, { policyName: name, validationActions: ["Warn"], paramRef }),
      ...placed(
        ALPHA,
        "Mutating",
        name,
        { ...shared, mutations, reinvocationPolicy: "Never" },
        { policyName: name, paramRef },
      ),
    ];
    for (const [path, body] of all) await exchange.send(creation(path, [body, body]));
  }
}

function creation(path: string, bodies: Pair<Parsed>): ComparedRequest {
  return { method: "POST", path, bodies, what: bodies[0].kind, view: withoutAddresses };
}

/** Removes the addresses of webhooks, which differ between the servers. */
function withoutAddresses({ webhooks, ...object }: Parsed): Parsed {
  return { ...object, webhooks: webhooks?.map(({ clientConfig: _, ...webhook }: Parsed) => webhook) };
}

function basics(random: Random, id: string): Placed[] {
  const labels = {
    ...(random.chance(0.5) && { "pod-security.kubernetes.io/warn": random.pick(["restricted", "baseline"]) }),
    ...(random.chance(0.1) && { "pod-security.kubernetes.io/enforce": "restricted" }),
  };
  return [
    ["/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: id, labels } }],
    ...(random.chance(0.3) ? [[`/api/v1/namespaces/${id}/limitranges`, randomLimitRange(random)] as const] : []),
  ];
}

function policyObjects(random: Random, id: string, kinds: Parameters<typeof validatingObjects>[3]): Placed[] {
  return [
    ...(random.chance(0.6) ? validatingObjects(random, `${id}-warns`, id, kinds, false) : []),
    ...(random.chance(0.5) ? validatingObjects(random, `${id}-denies`, id, kinds, true) : []),
    ...(random.chance(0.5) ? mutatingObjects(random, `${id}-changes`, id, kinds) : []),
  ];
}

/** Returns policies that are created last: when they are in force, all are. */
function markerPolicies(id: string): Placed[] {
  const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }];
  const matchConstraints = { resourceRules, objectSelector: { matchLabels: { marker: id } } };
  const expression = `Object{metadata: Object.metadata{annotations: {'changed': '${id}'}}}`;
  const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }];
  const name = `${id}-marker`;
  const validations = [{ expression: "false", message: `warned-${id}` }];
  return [
    ...placed(
      ALPHA,
      "Mutating",
      name,
      { matchConstraints, mutations, reinvocationPolicy: "Never" },
      { policyName: name },
    ),
    ...placed(
      V1,
      "Validating",
      name,
      { matchConstraints, validations },
      { policyName: name, validationActions: ["Warn"] },
    ),
  ];
}

async function untilInForce({ clients }: World, id: string): Promise<void> {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `${id}-marker`, labels: { marker: id } } };
  for (const call of clients) {
    for (const deadline = Date.now() + IN_FORCE_MS; ; await delay(100)) {
      const { text, headers } = await call("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", { body });
      const said = `${text} ${[headers.warning].flat().join(" ")}`;
      const isInForce = [`"hooked":"${id}"`, `"changed":"${id}"`, `hooked-${id}`, `warned-${id}`].every((each) =>
        said.includes(each),
      );
      if (isInForce) break;
      if (Date.now() > deadline)
        throw new Error(`the policies of ${id} are not in force on ${clients.indexOf(call)}: ${said}`);
    }
  }
}

async function compare(
  request: ComparedRequest,
  stage: Stage,
  reviewers: Pair<WebhookServer>,
  exchange: Exchange,
): Promise<void> {
  const answers = await exchange.send(request);
  remember(answers, stage);
  const asked = reviewers.map((reviewer) => reviewsOf(reviewer, stage.id)) as [unknown[], unknown[]];
  const different = differencesOf("", ...asked);
  if (different.length > 0)
    exchange.keep(
      request,
      different.map((each) => `.reviews${each}`),
      asked.map((all) => JSON.stringify(all)) as unknown as Pair<string>,
    );
}

/** Returns the reviews that the webhooks of an episode received since the last request. A server may try a write twice. */
function reviewsOf({ asked }: WebhookServer, id: string): unknown[] {
  const own = asked.filter(({ path }) => path.startsWith(`/${id}/`));
  for (const review of own) asked.splice(asked.indexOf(review), 1);
  const texts = new Set(own.map((review) => JSON.stringify({ path: review.path, ...comparable(review) })));
  return [...texts].sort().map((text) => JSON.parse(text));
}

function comparable(review: Review): Parsed {
  // Go prints unset times for some kinds only.
  const text = JSON.stringify(review).replaceAll(/"creationTimestamp":null,?/g, "");
  return (comparableAnswer({ status: 200, headers: {}, text }) as { readonly body: Parsed }).body;
}

/** Records the objects as both servers show them. */
function remember(answers: Differences["answers"], { objects, versions }: Stage): void {
  versions.note(answers);
  const [mine, theirs] = answers.map(({ text }) => objectOf(text));
  const name = mine?.metadata?.name;
  if (
    name !== undefined &&
    name === theirs?.metadata?.name &&
    mine.kind !== "Status" &&
    mine.kind !== "Scale" &&
    mine.metadata.uid !== undefined
  )
    objects.set(name, [mine, theirs]);
}

import { type FactResource, readModules, readResources } from "../../definitions/facts.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { changedObject, partOf, placesIn } from "./changed-object.ts";
import { withoutOwn } from "./changed-writes.ts";
import { type Answered, type ComparedRequest, type Pair, servesAll } from "./compared-request.ts";
import { MadeObjects } from "./made-object.ts";
import { repaired } from "./made-repairs.ts";

const ROUNDS = 12;
/** Kinds whose requests create no objects, or that the test environment needs unchanged. */
const LEFT_OUT = /reviews$|^bindings$|customresourcedefinitions|apiservices|tokenrequests/;
/** Kinds whose objects affect requests for others. */
// The configuration of fairness also gets a status now and then.
const NOT_STORED = /webhookconfigurations|admissionpolic|servicecidrs|flowschemas|prioritylevel/;
const IN_OWN_NAMESPACE = /resourcequotas|limitranges/;
/** Kinds with many fields, which are created more often. */
const OFTEN = /^(pods|services|persistentvolumes|persistentvolumeclaims|jobs|statefulsets)$/;

interface MadeKind {
  readonly resource: FactResource;
  readonly type: string;
  readonly list: string;
}

interface Made {
  readonly kind: MadeKind;
  readonly objects: MadeObjects;
  readonly random: Random;
  readonly list: string;
  readonly name: string;
  readonly part: number;
}

let known: { kinds: MadeKind[]; objects: MadeObjects } | undefined;

/** Creates objects from their types. After all errors are removed, an object is created, changed and updated. */
export function* made(random: Random): Iterable<ComparedRequest> {
  known ??= { kinds: madeKinds(), objects: new MadeObjects() };
  const { kinds, objects } = known;
  const kind = random.pick(kinds);
  const { plural, list } = { plural: kind.resource.resource, list: kind.list };
  const part = random.pick([0.08, 0.15, 0.3, 0.5, 0.8]);
  const number = random.int(2 ** 31);
  const name = nameFor(plural, number);
  const isOwn = IN_OWN_NAMESPACE.test(plural) && random.chance(0.5);
  const self: Made = { kind, objects, random, list: isOwn ? list.replace("default", name) : list, name, part };
  if (isOwn)
    yield creation("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } }, "namespace");
  const object = yield* accepted(self, (body) => creation(`${self.list}?dryRun=All`, body, "made"), objectOf(self));
  if (object === undefined) return;
  for (let times = 3; times > 0; times--) {
    const { object: changed, what } = changedIn(self, object);
    yield creation(`${self.list}?dryRun=All${random.pick(["", "&fieldValidation=Strict"])}`, changed, what);
  }
  if (!NOT_STORED.test(plural) && random.chance(0.5)) yield* life(self, object);
}

/** Stores an object, updates it, sets its status, applies it, and deletes it. */
function* life(self: Made, object: Parsed): Iterable<ComparedRequest> {
  const { random, list, name, kind } = self;
  let stored: Pair<Parsed> | undefined;
  const keep = (answers: Pair<Answered>): void => {
    if (answers.every(({ status }) => status < 300))
      stored = answers.map(({ text }) => JSON.parse(text)) as [Parsed, Parsed];
  };
  yield { ...creation(list, object, "stored"), onAnswers: keep };
  if (stored === undefined) return;
  const path = `${list}/${name}`;
  yield* changes(self, path, () => stored as Pair<Parsed>, "");
  if (kind.resource.subresources.some((each) => each.name === "status")) {
    const status = self.objects.makeField(random, kind.type, "status", self.part) as Parsed;
    const bodyOf = (value: Parsed): Parsed => ({ ...withoutOwn((stored as Pair<Parsed>)[0]), ...value });
    const sent = yield* accepted(
      self,
      (value) => update(`${path}/status?dryRun=All`, [bodyOf(value), bodyOf(value)], "status"),
      { status },
    );
    if (sent !== undefined)
      yield { ...update(`${path}/status`, [bodyOf(sent), bodyOf(sent)], "status"), onAnswers: keep };
    yield* changes(self, path, () => stored as Pair<Parsed>, "/status");
    yield* changes(self, path, () => stored as Pair<Parsed>, "");
  }
  const reading = { method: "GET", path, what: "table" };
  yield { ...reading, headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } };
  for (const other of (known?.kinds ?? []).filter(
    (each) => each !== kind && each.resource.resource === kind.resource.resource,
  ))
    yield { ...reading, path: `${other.list}/${name}`, what: "other version" };
  for (let times = 2; times > 0; times--) {
    const body = partOf(random, withoutOwn(stored[0]));
    const named = { ...body, metadata: { ...body.metadata, name } };
    const url = `${path}?dryRun=All&fieldManager=f${random.pick(["", "&force=true"])}`;
    yield { method: "PATCH", path: url, type: "application/apply-patch+yaml", bodies: [named, named], what: "a part" };
  }
  const options = { gracePeriodSeconds: 0, propagationPolicy: "Background" };
  yield update(
    path,
    stored.map((each) => ({
      ...withoutOwn(each),
      metadata: { name, ...(each.metadata.namespace && { namespace: each.metadata.namespace }) },
    })) as [Parsed, Parsed],
    "without metadata",
  );
  yield { method: "DELETE", path, bodies: [options, options], what: "deletion" };
}

/** Updates that store nothing. */
function* changes(
  self: Made,
  path: string,
  stored: () => Pair<Parsed>,
  subresource: string,
): Iterable<ComparedRequest> {
  for (let times = 5; times > 0; times--) {
    const url = `${path}${subresource}?dryRun=All`;
    if (self.random.chance(0.4)) {
      yield patchOf(self, url, subresource);
      continue;
    }
    const { object, what } = changedIn(
      self,
      withoutOwn(stored()[0]),
      subresource === "" ? /^(spec|[a-z]+$)/ : /^status/,
    );
    yield update(url, [object, object], what);
  }
}

/** Returns a patch with parts of another object of the kind. */
function patchOf(self: Made, url: string, subresource: string): ComparedRequest {
  const { random, objects, kind, name } = self;
  const { metadata: _, ...other } = objectOf(self, 0.3);
  const status = subresource === "" ? {} : { status: objects.makeField(random, kind.type, "status", 0.3) };
  const object = { ...partOf(random, { ...other, ...status }), metadata: { name } };
  const type = random.pick(["merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml"]);
  const path = type.startsWith("apply") ? `${url}&fieldManager=f&force=true` : url;
  return { method: "PATCH", path, type: `application/${type}`, bodies: [object, object], what: "another object" };
}

/** Sends an object and removes invalid fields until it is accepted. Returns the accepted object. */
function* accepted(
  self: Made,
  request: (object: Parsed) => ComparedRequest,
  whole: Parsed,
): Generator<ComparedRequest, Parsed | undefined> {
  let object: Parsed | undefined = whole;
  for (let round = 0; round < ROUNDS && object !== undefined; round++) {
    let answer: Answered | undefined;
    yield { ...request(object), onAnswers: (answers) => (answer = answers[1]) };
    if (answer === undefined || answer.status < 300) return answer && object;
    const makeAt = (path: readonly string[]): unknown => self.objects.makeAt(self.random, self.kind.type, path, 0.3);
    object = repaired(object, JSON.parse(answer.text) as Parsed, makeAt);
  }
  return undefined;
}

/** Returns a copy in which one to three fields have values of another object, are removed, or are invalid. */
function changedIn(self: Made, object: Parsed, places = /./): { object: Parsed; what: string } {
  const { random } = self;
  const copy = structuredClone(object);
  const other = objectOf(self, random.pick([0.3, 0.6]));
  if (places.source.includes("status")) other.status = self.objects.makeField(random, self.kind.type, "status", 0.6);
  const all = placesIn(other).filter((path) => places.test(path[0] as string) && path[0] !== "metadata");
  const what: string[] = [];
  for (let times = random.pick([1, 1, 2, 3]); times > 0 && all.length > 0; times--) {
    if (random.chance(0.25)) {
      const changed = changedObject(random, copy);
      return { ...changed, what: [...what, changed.what].join(", ") };
    }
    const path = random.pick(all);
    if (copyPlace(copy, other, path)) what.push(`other ${path.join(".")}`);
  }
  return { object: copy, what: what.join(", ") };
}

function copyPlace(to: Parsed, from: Parsed, path: readonly string[]): boolean {
  let [target, source] = [to, from];
  for (const step of path.slice(0, -1)) {
    source = source[step];
    if (target[step] === undefined || target[step] === null) {
      target[step] = structuredClone(source);
      return true;
    }
    target = target[step];
    if (typeof target !== "object") return false;
  }
  target[path.at(-1) as string] = source[path.at(-1) as string];
  return true;
}

function objectOf({ kind, objects, random, name, part }: Made, other = part): Parsed {
  const { group, version, kind: kindName } = kind.resource;
  const { status: _, ...object } = objects.make(random, kind.type, other);
  const metadata = { ...object.metadata, name };
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind: kindName, ...object, metadata };
}

function creation(path: string, body: Parsed, what: string): ComparedRequest {
  return { method: "POST", path, bodies: [body, body], what };
}

function update(path: string, bodies: Pair<Parsed>, what: string): ComparedRequest {
  return { method: "PUT", path, bodies, what };
}

function madeKinds(): MadeKind[] {
  const modules = [...readModules().values()];
  return readResources().flatMap((resource) => {
    const module = modules.find(
      ({ group, version, types }) => group === resource.group && version === resource.version && resource.kind in types,
    );
    const isServed = (servesAll || resource.enabledByDefault !== false) && resource.removed === undefined;
    if (module === undefined || !isServed || !resource.verbs.includes("create") || LEFT_OUT.test(resource.resource))
      return [];
    const { group, version } = resource;
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const list = `${root}/${resource.namespaced ? "namespaces/default/" : ""}${resource.resource}`;
    const kind = { resource, type: `${module.ref}.${resource.kind}`, list };
    return Array.from({ length: OFTEN.test(resource.resource) ? 3 : 1 }, () => kind);
  });
}

function nameFor(plural: string, number: number): string {
  if (plural === "ipaddresses") return `172.${16 + (number % 16)}.${(number >> 8) % 256}.${(number >> 16) % 256}`;
  return `made-${number}`;
}

import type { Parsed } from "../../fixtures/plane-client.ts";
import { Random } from "../../hostile/random.ts";
import { type Changed, changedObject, partOf, placesIn } from "./changed-object.ts";
import type { ComparedRequest, RequestMaker, World } from "./compared-request.ts";
import { DEFINITIONS_PATH, GROUP } from "./custom-kinds.ts";

/** Creations, updates, patches and applies of changed objects. */
export const changedWrites: RequestMaker = (random, world) => {
  const options = `dryRun=All${random.chance(0.3) ? "&fieldValidation=Strict" : ""}`;
  if (random.chance(0.5)) {
    const { path, object } = random.pick(world.examples);
    const changed = changedObject(random, object);
    return { method: "POST", path: `${path}?${options}`, bodies: [changed.object, changed.object], what: changed.what };
  }
  return changedUpdate(random, world, options);
};

/** The same requests for custom objects and their definitions. */
export const customWrites: RequestMaker = (random, world) => {
  const isCustom = ({ path }: { readonly path: string }) => path.includes(GROUP) || path === DEFINITIONS_PATH;
  return changedWrites(random, {
    ...world,
    examples: world.examples.filter(isCustom),
    stored: world.stored.filter(isCustom),
  });
};

function changedUpdate(random: Random, { stored }: World, options: string): ComparedRequest {
  const { path: list, mine, theirs } = random.pick(stored);
  const path = `${list}/${mine.metadata.name}${random.chance(0.15) ? "/status" : ""}?${options}`;
  const patch = (type: string, body: unknown, what: string, more = ""): ComparedRequest => ({
    method: "PATCH",
    path: path + more,
    type: `application/${type}`,
    bodies: [body, body],
    what,
  });
  const part = (): Changed => changedObject(random, partOf(random, withoutOwn(mine)));
  return random.one<ComparedRequest>(
    () => {
      const state = random.int(2 ** 31);
      const [one, other] = [mine, theirs].map((object) => changedObject(new Random(state), withoutOwn(object)));
      return { method: "PUT", path, bodies: [one?.object, other?.object], what: one?.what ?? "" };
    },
    () => {
      const body = [jsonOperation(random, withoutOwn(mine))];
      return patch("json-patch+json", body, JSON.stringify(body));
    },
    () => {
      const { object, what } = part();
      return patch(random.pick(["merge-patch+json", "strategic-merge-patch+json"]), object, what);
    },
    () => {
      const { object, what } = part();
      const named = { ...object, metadata: { ...object.metadata, name: mine.metadata.name } };
      return patch("apply-patch+yaml", named, what, `&fieldManager=f${random.chance(0.5) ? "&force=true" : ""}`);
    },
  );
}

function jsonOperation(random: Random, object: Parsed): unknown {
  const place = random.pick([["metadata", "labels"], ...placesIn(object)]);
  const pointer = `/${place.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;
  return {
    op: random.pick(["add", "replace", "remove", "test"]),
    path: pointer,
    value: random.pick(["a", 1, {}, null]),
  };
}

/** Removes what a server has chosen, which differs between the servers. */
export function withoutOwn(object: Parsed): Parsed {
  const { managedFields: _, creationTimestamp: _c, resourceVersion: _r, uid: _u, ...metadata } = object.metadata;
  const copy = structuredClone({ ...object, metadata });
  if (copy.kind === "Service") {
    for (const name of ["clusterIP", "clusterIPs", "healthCheckNodePort"]) delete copy.spec[name];
    for (const port of copy.spec.ports ?? []) delete port.nodePort;
  }
  // The labels of a Job contain its UID.
  if (copy.kind === "Job") {
    delete copy.spec.selector;
    delete copy.spec.template.metadata;
    delete copy.metadata.labels;
  }
  return copy;
}

import { type FactField, type FactModule, readModules } from "../../definitions/facts.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { arranged } from "./made-arrangements.ts";
import { FIELDS, NAMES, TYPES } from "./made-values.ts";

const DEEPEST = 12;
/** Fields of metadata that requests rarely set. */
const METADATA = new Set(["labels", "annotations", "finalizers"]);
/** Unions, with the members of which one is set, next to fields that are not members. */
const UNIONS: Readonly<Record<string, readonly string[]>> = {
  Volume: ["name"],
  PersistentVolumeSpec: [
    ...["capacity", "accessModes", "claimRef", "persistentVolumeReclaimPolicy", "storageClassName", "mountOptions"],
    ...["volumeMode", "nodeAffinity", "volumeAttributesClassName"],
  ],
  VolumeProjection: [],
  EnvVar: ["name"],
  EnvVarSource: [],
  EnvFromSource: ["prefix"],
  LifecycleHandler: ["stopSignal"],
  Probe: [
    ...["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"],
    "terminationGracePeriodSeconds",
  ],
  NetworkPolicyPeer: [],
  IngressBackend: [],
  ServiceBackendPort: [],
  DeviceRequest: ["name"],
  DeviceSelector: [],
  DeviceConstraint: ["requests"],
  DeviceAttribute: [],
  DeviceConfiguration: [],
  WebhookClientConfig: ["caBundle"],
  PodFailurePolicyRule: ["action"],
  ContainerState: [],
  VolumeAttachmentSource: [],
  DownwardAPIVolumeFile: ["path", "mode"],
  PodDisruptionBudgetSpec: ["selector", "unhealthyPodEvictionPolicy"],
  PodResourceClaim: ["name"],
  ParamRef: ["parameterNotFoundAction"],
};
/** Fields that no struct needs, or that make all others ineffective. */
const LEFT_OUT = new Set(["TypeMeta", "ListMeta", "managedFields", "gitRepo"]);

/** Creates objects of all kinds from their types only. */
export class MadeObjects {
  readonly #modules: ReadonlyMap<string, FactModule> = readModules();

  /** Returns an object with all required fields, and with `part` of the optional ones. */
  make(random: Random, type: string, part: number): Parsed {
    return this.#struct(random, type, part, 0);
  }

  /** Returns a value for one field; undefined if the type has no such field. */
  makeField(random: Random, type: string, name: string, part: number): unknown {
    const field = this.#fieldsOf(type).find((each) => each.name === name);
    return field === undefined ? undefined : this.#field(random, type, field, part, 1);
  }

  /** Returns a value for the field at a path; undefined if it does not exist. */
  makeAt(random: Random, type: string, path: readonly string[], part: number): unknown {
    const [name, ...rest] = path;
    if (name === undefined) return undefined;
    if (type.startsWith("[]")) return this.makeAt(random, type.slice(2), rest, part);
    if (type.startsWith("map[")) return this.makeAt(random, type.slice(type.indexOf("]") + 1), rest, part);
    const field = this.#fieldsOf(type).find((each) => each.name === name);
    if (field === undefined) return undefined;
    return rest.length === 0 ? this.#field(random, type, field, part, 1) : this.makeAt(random, field.type, rest, part);
  }

  #struct(random: Random, type: string, part: number, depth: number): Parsed {
    const name = nameOf(type);
    const all = this.#fieldsOf(type).filter((each) => !LEFT_OUT.has(each.name) && each.name !== "-");
    const beside = UNIONS[name];
    const members = beside === undefined ? [] : all.filter((each) => !beside.includes(each.name));
    const only = members.length > 0 ? random.pick(members) : undefined;
    const isSet = (field: FactField): boolean => {
      if (name === "ObjectMeta" && !METADATA.has(field.name)) return false;
      if (only !== undefined && members.includes(field)) return field === only;
      return field.optional === false || field.name === "spec" || random.chance(depth > DEEPEST ? 0 : part);
    };
    const entries = all.filter(isSet).map((field) => [field.name, this.#field(random, type, field, part, depth + 1)]);
    return arranged(random, name, Object.fromEntries(entries) as Parsed);
  }

  #field(random: Random, type: string, field: FactField, part: number, depth: number): unknown {
    const hint = FIELDS[`${nameOf(type)}.${field.name}`];
    if (hint !== undefined) return asDeclared(hint(random), field.type);
    const value = this.#value(random, field.type, field.name, part, depth);
    return field.listMapKeys === undefined ? value : uniqueBy(value as Parsed[], field.listMapKeys);
  }

  #value(random: Random, type: string, name: string, part: number, depth: number): unknown {
    if (type.startsWith("[]")) {
      const length = random.pick([1, 1, 1, 2, 2, 3]);
      return uniqueBy(Array.from({ length }, () => this.#value(random, type.slice(2), name, part, depth)));
    }
    if (type.startsWith("map[")) {
      const item = type.slice(type.indexOf("]") + 1);
      return Object.fromEntries(
        random.times(2, () => [random.pick(NAMES), this.#value(random, item, name, part, depth)]),
      );
    }
    const made = TYPES[type];
    const hint = FIELDS[name];
    const module = this.#modules.get(type.slice(0, type.lastIndexOf(".")));
    const values = module?.enums[nameOf(type)]?.values.filter((value) => value !== "");
    const alias = module?.aliases[nameOf(type)];
    if (module?.types[nameOf(type)] !== undefined && made === undefined) return this.#struct(random, type, part, depth);
    if (values !== undefined && values.length > 0 && made === undefined) return random.pick(values);
    if (hint !== undefined) {
      const value = hint(random);
      if (fits(value, alias ?? type)) return value;
    }
    if (made !== undefined) return made(random);
    if (alias !== undefined) return this.#value(random, alias, name, part, depth);
    return random.pick(["a", "b", "example"]);
  }

  #fieldsOf(type: string): readonly FactField[] {
    const module = this.#modules.get(type.slice(0, type.lastIndexOf(".")));
    return (module?.types[nameOf(type)]?.fields ?? []).flatMap((field) => {
      if (field.inline !== true) return [field];
      const inner = nameOf(field.type);
      if (LEFT_OUT.has(inner)) return [];
      return this.#fieldsOf(field.type);
    });
  }
}

const nameOf = (type: string): string => type.slice(type.lastIndexOf(".") + 1);

/** Adapts a hint to the type: hints for lists may be lists or single entries. */
function asDeclared(value: unknown, type: string): unknown {
  return type.startsWith("[]") && !Array.isArray(value) ? [value] : value;
}

function fits(value: unknown, type: string): boolean {
  if (/int\d\d$|float/.test(type)) return typeof value === "number";
  if (type === "bool") return typeof value === "boolean";
  if (type === "string") return typeof value === "string";
  return true;
}

/** Keeps the first of several items with equal keys. */
function uniqueBy(items: readonly unknown[], keys?: readonly string[]): unknown[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = JSON.stringify(keys === undefined ? item : keys.map((name) => (item as Parsed)[name]));
    return !seen.has(key) && seen.add(key);
  });
}

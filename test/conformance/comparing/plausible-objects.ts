import type { Field, TypeExpr, TypeRef, TypeSource } from "../../../runtime/contract/type-table.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import { definitionOf, fieldsOf } from "../../fixtures/type-fields.ts";
import type { Random } from "../../hostile/random.ts";

const DEEPEST = 9;
const NAMES = ["a", "web", "web-0", "main", "sidecar", "example.com/a"];
const IPS = ["10.0.0.1", "192.0.2.7", "2001:db8::1"];
/** Strings for fields, selected by the field name. The first matching pattern applies. */
const STRINGS: readonly (readonly [field: RegExp, values: readonly string[]])[] = [
  [/^(ip|.*IP|address|addresses)$/, IPS],
  [/^(cidr|.*CIDRs?|cidrs)$/, ["10.0.0.0/24", "2001:db8::/64"]],
  [/^(host|hosts|hostname|loadBalancerSource.*)$/, ["a.example.com", "*.example.com", "b"]],
  [/^(image|imageID)$/, ["registry.invalid/a:1", "b@sha256:0", "c"]],
  [/^(apiVersion)$/, ["v1", "apps/v1", "example.com/v1"]],
  [/^(kind)$/, ["Pod", "Deployment", "Node", "ConfigMap", "User", "Group", "ServiceAccount"]],
  [/^(apiGroups?|group)$/, ["", "apps", "example.com", "*"]],
  [
    /^(reason)$/,
    ["", "Error", "Completed", "OOMKilled", "CrashLoopBackOff", "Evicted", "NodeLost", "ContainerCreating"],
  ],
  [/^(message|note|description)$/, ["", "text <&> \u00e9", "two\nlines", "\u{1f600}"]],
  [/^(schedule)$/, ["*/5 * * * *", "@daily"]],
  [/^(timeZone)$/, ["Europe/Berlin", "Etc/UTC"]],
  [/^(key|topologyKey|operator)$/, ["a", "kubernetes.io/hostname", "In", "Exists"]],
  [/^(type)$/, ["Ready", "Other", "example.com/a"]],
  [/^(resourceClaimName|resource|volume.*|containerID)$/, ["a", "b"]],
  [/^(status)$/, ["True", "False", "Unknown"]],
  [/^(verbs|resources|nonResourceURLs)$/, ["*", "get", "pods", "pods/status", "/healthz"]],
  [/^(name|.*Name|.*Names)$/, NAMES],
];
/** Structs of which one member is set. */
const ONE_OF = /\.(Volume|PersistentVolumeSpec|Probe|LifecycleHandler|ContainerState|EnvVarSource|VolumeProjection)$/;
/** Structs whose member is named by their field `type`. */
const TYPED = /\.(MetricSpec|MetricStatus)$/;
/** Counts of replicas, each not greater than the count that includes it. */
const REPLICAS: Readonly<Record<string, number>> = { availableReplicas: 2, readyReplicas: 3, updatedReplicas: 4 };
const LABELS = /^(labels|matchLabels|nodeSelector|selector|podSelector)$/;
const WORDS = ["", "a", "blue", "Ready", "v1", "web-0", "*", "<&>", "x/y"];
const QUANTITIES = ["0", "1", "100m", "1500m", "4Gi", "1e3", "0.5", "1234567", "10Mi", "3k", "12E"];
/** Ages in the middle of the range that a table shows as one value, so that both servers show the same one. */
const AGES_S = [
  5 * 365.3 * 86_400,
  400.5 * 86_400,
  45.5 * 86_400,
  5.5 * 86_400 + 1800,
  2.5 * 86_400 + 1800,
  5.5 * 3600 + 30,
  3630 * 3,
  45 * 60 + 30,
  330,
  -100 * 86_400,
];

/** Keeps the first of several items with equal keys, and each item of a set once. */
function distinct(items: Parsed[], { listType, listMapKeys = [], patchMergeKey }: Field): Parsed[] {
  if (listType === "atomic" && patchMergeKey === undefined) return items;
  const names = listMapKeys.length > 0 ? listMapKeys : patchMergeKey === undefined ? undefined : [patchMergeKey];
  const keyOf = (item: Parsed): string => JSON.stringify(names?.map((name) => item[name]) ?? item);
  return items.filter((item, index) => items.findIndex((other) => keyOf(other) === keyOf(item)) === index);
}

/** Creates objects of every type with realistic values. */
export class PlausibleObjects {
  readonly #types: TypeSource;
  readonly #random: Random;
  readonly #now: number;

  constructor(types: TypeSource, random: Random, now: number) {
    this.#types = types;
    this.#random = random;
    this.#now = now;
  }

  /** Returns an object without kind, apiVersion and metadata. */
  object(ref: TypeRef): Parsed {
    return this.#struct(fieldsOf(this.#types, ref), 0, new Set(["metadata", "kind", "apiVersion"]));
  }

  /** Returns the value of a field of an object; undefined if it has no such field. */
  member(ref: TypeRef, name: string): Parsed {
    const field = fieldsOf(this.#types, ref).find((one) => one.name === name);
    return field && this.#value(field.type, 1, name);
  }

  time(): string {
    return new Date((this.#now - this.#random.pick(AGES_S)) * 1000).toISOString().replace(/\.\d+/, "");
  }

  #struct(given: readonly Field[], depth: number, leftOut?: ReadonlySet<string>, ref = ""): Parsed {
    const object: Parsed = {};
    const fields = this.#chosen(given, ref);
    const kept = fields.find(({ name }) => name === "type" && fields.length < given.length);
    for (const field of fields) {
      if (leftOut?.has(field.name)) continue;
      if (kept !== undefined && field === fields.at(-1)) {
        object.type = `${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`;
        object[field.name] = this.#value(field.type, depth + 1, field.name, field.enum);
        if (object[field.name].current !== undefined) object[field.name].current = this.#measured(field.name);
        continue;
      }
      const likely = depth < 2 ? 0.9 : depth < 4 ? 0.7 : 0.35;
      if (field.required !== true && (depth > DEEPEST || !this.#random.chance(likely))) continue;
      const value = this.#value(field.type, depth + 1, field.name, field.enum);
      object[field.name] = Array.isArray(value) ? distinct(value, field) : value;
    }
    return object;
  }

  /** Chooses one member of a union, next to fields that are not members. */
  #chosen(fields: readonly Field[], ref = ""): readonly Field[] {
    const members = fields.filter(({ name, type, required }) => {
      if (required) return false;
      if (ONE_OF.test(ref)) return name !== "name" && name !== "type" && typeof type === "string" && type.includes(".");
      return TYPED.test(ref) && name !== "type" && typeof type === "string" && type.includes(".");
    });
    if (members.length < 2) return fields;
    const member = this.#random.pick(members);
    return [...fields.filter((field) => !members.includes(field)), member];
  }

  #value(type: TypeExpr, depth: number, name: string, words?: readonly string[]): unknown {
    if (typeof type === "object") {
      const length = depth > DEEPEST ? 0 : this.#random.pick("list" in type ? [0, 1, 1, 2, 2, 3, 5] : [1, 1, 2, 3]);
      const item = (_: number) => this.#value("list" in type ? type.list : type.map, depth + 1, name);
      if ("map" in type && LABELS.test(name)) {
        const keys = ["app", "kubernetes.io/arch", "b", "c", "d"].slice(0, length);
        return Object.fromEntries(keys.map((key) => [key, this.#random.pick(["", "a", "Web-0.1"])]));
      }
      if ("list" in type) {
        return Array.from({ length }, (_, at) => {
          const one = item(at) as Parsed;
          if (/[cC]ontainer(s|Statuses)$/.test(name)) one.name = `c${at}`;
          return one;
        });
      }
      const keys = ["cpu", "memory", "pods", "example.com/gpu", "requests.storage"];
      return Object.fromEntries(keys.slice(0, length).map((key, at) => [key, item(at)]));
    }
    if (!type.includes(".")) return this.#scalar(type, name, words);
    const definition = definitionOf(this.#types, type as TypeRef);
    if (/SelectorRequirement$/.test(type)) return this.#requirement();
    if ("fields" in definition) return this.#struct(fieldsOf(this.#types, type as TypeRef), depth, undefined, type);
    return this.#value(definition.is, depth, name, words ?? definition.enum);
  }

  /** Returns the measured value of a metric, as controllers write it. */
  #measured(member: string): Parsed {
    const quantity = this.#random.pick(QUANTITIES);
    if (/[rR]esource$/.test(member))
      return { averageValue: quantity, ...(this.#random.chance(0.5) && { averageUtilization: 50 }) };
    return { [member === "pods" ? "averageValue" : "value"]: quantity };
  }

  /** Returns a selector requirement, with values if the operator needs some. */
  #requirement(): Parsed {
    const operator = this.#random.pick(["In", "NotIn", "Exists", "DoesNotExist"]);
    const values = /In/.test(operator) ? { values: this.#random.pick([["a"], ["b", "a"]]) } : {};
    return { key: this.#random.pick(["app", "kubernetes.io/arch", "tier"]), operator, ...values };
  }

  #scalar(scalar: string, name: string, words?: readonly string[]): unknown {
    const random = this.#random;
    switch (scalar) {
      case "string": {
        if (words !== undefined && random.chance(0.9)) return random.pick(words);
        const named = STRINGS.find(([field]) => field.test(name));
        return random.pick(named?.[1] ?? WORDS);
      }
      case "boolean":
        return random.chance(0.5);
      case "int32":
        if (/[rR]eplicas$/.test(name)) return REPLICAS[name] ?? 9;
        return random.pick([0, 0, 1, 1, 2, 3, 80, 137, 8080, 30_080, 2_147_483_647]);
      case "int64":
        return random.pick([0, 1, 7, 3600, 4_294_967_296]);
      case "double":
        return random.pick([0, 1.5, 1e21, 0.000001]);
      case "bytes":
        return random.pick(["AAEC", "eHh4"]);
      case "time":
        return this.time();
      case "microTime":
        return this.time().replace("Z", ".000006Z");
      case "duration":
        return random.pick(["0s", "1m0s", "1h2m3.5s"]);
      case "quantity":
        return random.pick(QUANTITIES);
      case "intOrString":
        return random.pick<unknown>([0, 1, 80, "http", "25%", "100%"]);
      case "rawObject":
        return { apiVersion: "v1", kind: "Thing", deep: [1, { a: null }, "<&>"] };
      case "json":
        return random.pick<unknown>([1, "a", { b: [true] }]);
      case "fieldsV1":
        return { "f:a": {} };
      default:
        return true;
    }
  }
}

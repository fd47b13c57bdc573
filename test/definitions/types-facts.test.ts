import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import type { Field, TypeDefinition, TypeExpr } from "../../runtime/contract/type-table.ts";
import { type FactField, type FactModule, factsAvailable, readModules } from "./facts.ts";

/** Modules of scalars, which are in the vocabulary, and of a struct that is expanded where it is inlined. */
const NOT_DEFINED = new Set(["runtime", "resource", "intstr", "types", "tracing/v1"]);

/** Types that are words of the vocabulary or have no form of their own. */
const SCALAR_TYPES =
  /^(meta\/v1\.(Time|MicroTime|Duration|FieldsV1|Timestamp|GroupVersion)|apiextensions\/v1(beta1)?\.(JSON|JSONSchemaPropsOr\w+)|extensions\/v1beta1\.NetworkPolicyStatus)$/;

const BY_HOOK = "a hook takes it out of claims and volumes: inside other objects it stays";
const NEW_NODES = "a hook takes it out of new nodes: a status is taken as it is";
const KEPT = "marked with a gate that no server looks at: only slices lose their taints";

/** Intentional differences between the definitions and the facts. */
const KNOWN: Record<string, string> = {
  "core/v1.TypedObjectReference.namespace gate": "takes the whole reference with it, which a hook does",
  "core/v1.VolumeSource.image gate": "takes the whole volume with it, which a hook does",
  "core/v1.PersistentVolumeSpec.volumeAttributesClassName gate": BY_HOOK,
  "core/v1.PersistentVolumeClaimSpec.volumeAttributesClassName gate": BY_HOOK,
  "core/v1.PersistentVolumeClaimStatus.currentVolumeAttributesClassName gate": BY_HOOK,
  "core/v1.PersistentVolumeClaimStatus.modifyVolumeStatus gate": BY_HOOK,
  "discovery/v1.EndpointHints.forNodes gate": "the facts leave it unsaid",
  "apps/v1.RollingUpdateStatefulSetStrategy.maxUnavailable gate": "the facts leave it unsaid, the server drops it",
  "apps/v1.DeploymentStatus.terminatingReplicas gate": "the facts leave it unsaid, the server drops it",
  "apps/v1.ReplicaSetStatus.terminatingReplicas gate": "the facts leave it unsaid, the server drops it",
  "core/v1.LifecycleHandler.sleep gate": "takes a handler without other actions with it, which a hook does",
  "core/v1.NodeStatus.features gate": NEW_NODES,
  "core/v1.NodeStatus.runtimeHandlers gate": NEW_NODES,
  "core/v1.NodeRuntimeHandlerFeatures.recursiveReadOnlyMounts gate": "the server keeps it",
  "core/v1.NodeRuntimeHandlerFeatures.userNamespaces gate": "the server keeps it",
  "core/v1.PersistentVolumeClaimStatus.allocatedResources gate": BY_HOOK,
  "core/v1.PersistentVolumeClaimStatus.allocatedResourceStatuses gate": BY_HOOK,
  "core/v1.PodStatus.resize gate": "the server keeps it",
  "core/v1.ContainerStatus.allocatedResources gate": "the server looks at another gate",
  "core/v1.PodSpec.hostUsers gate": "the facts leave it unsaid, the server drops it",
  "core/v1.TopologySpreadConstraint.matchLabelKeys gate": "the facts leave it unsaid, the server drops it",
  "core/v1.ContainerStatus.stopSignal gate": "the server keeps it",
  "resource/v1beta1.BasicDevice.nodeSelector gate": "the facts leave it unsaid, the server drops it",
  "resource/v1alpha3.DeviceRequest.tolerations gate": KEPT,
  "resource/v1alpha3.DeviceRequestAllocationResult.tolerations gate": KEPT,
  "resource/v1alpha3.DeviceSubRequest.tolerations gate": KEPT,
  "resource/v1beta1.DeviceRequest.tolerations gate": KEPT,
  "resource/v1beta1.DeviceRequestAllocationResult.tolerations gate": KEPT,
  "resource/v1beta1.DeviceSubRequest.tolerations gate": KEPT,
  "resource/v1beta2.DeviceRequestAllocationResult.tolerations gate": KEPT,
  "resource/v1beta2.DeviceSubRequest.tolerations gate": KEPT,
  "resource/v1beta2.ExactDeviceRequest.tolerations gate": KEPT,
  "storage/v1.CSIDriverSpec.storageCapacity gate": "the gate is gone, the field stayed",
  "admissionregistration/v1.ScopeType closed": "marked as an enum, yet published without one",
  "storagemigration/v1alpha1.StorageVersionMigrationList.items listType": "its key is no field of the items",
  "storagemigration/v1alpha1.StorageVersionMigrationList.items listMapKeys": "its key is no field of the items",
  "storagemigration/v1alpha1.StorageVersionMigrationList.items patchStrategy": "its key is no field of the items",
  "storagemigration/v1alpha1.StorageVersionMigrationList.items patchMergeKey": "its key is no field of the items",
};

const SCALARS: Record<string, string> = {
  bool: "boolean",
  float64: "double",
  any: "json",
  "meta/v1.Time": "time",
  "meta/v1.MicroTime": "microTime",
  "meta/v1.Duration": "duration",
  "meta/v1.FieldsV1": "fieldsV1",
  "resource.Quantity": "quantity",
  "resource.QuantityValue": "quantity",
  "intstr.IntOrString": "intOrString",
  "runtime.RawExtension": "rawObject",
  "runtime.Unknown": "rawObject",
};

describe.skipIf(!factsAvailable)("the definitions say what Kubernetes says (skipped without ../shared)", () => {
  const modules = factsAvailable ? readModules() : new Map<string, FactModule>();
  const defined = registry.createTypeSource();

  for (const [ref, module] of modules) {
    if (NOT_DEFINED.has(ref)) continue;
    it(`${ref}: fields, types, presence, numbers and markers`, () => {
      const { types } = defined.module(ref);
      const differences: string[] = [];
      for (const [name, fact] of Object.entries(module.types)) {
        if (fact.goAlias || SCALAR_TYPES.test(`${ref}.${name}`)) continue;
        const type = types[name];
        if (type === undefined) differences.push(`${ref}.${name} missing`);
        else compareStruct(`${ref}.${name}`, fact.fields, type, differences);
        const atomic = fact.markers?.includes("+structType=atomic") ? "atomic" : undefined;
        compare(`${ref}.${name} mapType`, type?.mapType, atomic, differences);
      }
      for (const [name, { values, isMarkedEnum }] of Object.entries(module.enums)) {
        const type = types[name];
        if (type === undefined) continue;
        compare(
          `${ref}.${name} values`,
          type.enum,
          values.filter((value) => value !== "" || isMarkedEnum),
          differences,
        );
        compare(`${ref}.${name} closed`, type.closed, isMarkedEnum, differences);
      }
      expect(differences).toEqual([]);
    });
  }

  function compareStruct(path: string, facts: FactField[], type: TypeDefinition, differences: string[]): void {
    const fields = "fields" in type ? type.fields : [];
    const written = facts.flatMap((fact) =>
      fact.type === "tracing/v1.TracingConfiguration"
        ? (modules.get("tracing/v1")?.types.TracingConfiguration?.fields ?? [])
        : [fact],
    );
    for (const fact of written) {
      if (fact.name === "-" || fact.type === "meta/v1.TypeMeta") continue;
      const expected = typeOf(fact.type);
      const field = fields.find((each) =>
        fact.inline ? each.name === "" && each.type === expected : each.name === fact.name,
      );
      if (field === undefined) differences.push(`${path}.${fact.name || fact.type} missing`);
      else compareField(`${path}.${fact.name}`, fact, field, expected, differences);
    }
    const order = written.filter(({ name, type: of }) => name !== "-" && of !== "meta/v1.TypeMeta");
    const printed = fields.filter(({ name }) => !order.every((fact) => fact.name !== name));
    compare(
      `${path} order`,
      printed.map(({ name }) => name),
      order.map(({ name }) => name),
      differences,
    );
    const names = new Set([...written.map(({ name }) => name), "apiVersion", "kind"]);
    for (const field of fields) if (!names.has(field.name)) differences.push(`${path}.${field.name} is not a field`);
  }

  function compareField(path: string, fact: FactField, field: Field, type: TypeExpr, differences: string[]): void {
    // Types of configuration files have no protobuf form.
    if (!path.startsWith("audit/")) compare(`${path} number`, field.number, fact.proto, differences);
    if (fact.inline) return;
    const byValue = !fact.pointer && isGoStruct(fact.type);
    const all: [string, unknown, unknown][] = [
      ["type", field.type, type],
      ["protoName", fact.protoName && (field.protoName ?? field.name), fact.protoName],
      ["required", field.required, !fact.optional || undefined],
      ["tracked", field.tracked, fact.pointer],
      ["always", field.always, !fact.omitempty || byValue || undefined],
      ["listType", field.listType, path.endsWith("ValidatingWebhook.sideEffects") ? field.listType : fact.listType],
      ["listMapKeys", field.listMapKeys, fact.listMapKeys],
      ["mapType", field.mapType, fact.structType ?? fact.mapType],
      ["patchStrategy", field.patchStrategy && [...field.patchStrategy].sort(), fact.patchStrategy?.split(",").sort()],
      ["patchMergeKey", field.patchMergeKey, fact.patchMergeKey],
      ["gate", field.gate, fact.featureGate?.replaceAll(" ", "")],
      ["deprecated", field.deprecated !== undefined || undefined, fact.deprecated],
    ];
    if (fact.default !== undefined) all.push(["default", field.default, fact.default]);
    for (const [what, actual, expected] of all) compare(`${path} ${what}`, actual, expected, differences);
  }

  function compare(what: string, actual: unknown, expected: unknown, differences: string[]): void {
    if (JSON.stringify(actual) === JSON.stringify(expected) || what in KNOWN) return;
    differences.push(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
  }

  /** Resolves Go aliases to a type with its own form. */
  function resolve(ref: string): string {
    const [module, name] = splitRef(ref);
    const type = modules.get(module)?.types[name];
    if (type?.goAlias) return resolve(type.sameAs as string);
    const alias = modules.get(module)?.aliases[name];
    return alias?.includes("/") && !/^(\[|map)/.test(alias) ? resolve(alias) : ref;
  }

  function typeOf(expression: string): TypeExpr {
    if (expression.startsWith("[]")) return { list: typeOf(expression.slice(2)) };
    if (expression.startsWith("map[")) return { map: typeOf(expression.slice(expression.indexOf("]") + 1)) };
    const scalar = SCALARS[expression] ?? (expression.includes(".") ? undefined : expression);
    if (scalar !== undefined) return scalar as TypeExpr;
    const ref = resolve(expression);
    const [module, name] = splitRef(ref);
    const or = /^JSONSchemaPropsOr(\w+)$/.exec(name);
    if (or) return `schemaOr${or[1]}` as TypeExpr;
    if (name === "JSON") return "json";
    const alias = modules.get(module)?.aliases[name];
    // Names for strings, and for lists and maps of schemas, are not separate types here.
    if (alias !== undefined && (module.startsWith("apiextensions/") ? /^(\[|map)/.test(alias) : false))
      return typeOf(alias);
    if (alias === "string" && modules.get(module)?.enums[name] === undefined) return "string";
    return ref as TypeExpr;
  }

  /** Whether the value is a struct in Go, which `omitempty` never omits. */
  function isGoStruct(expression: string): boolean {
    if (/^(\[|map)/.test(expression) || !expression.includes(".")) return false;
    const [module, name] = splitRef(resolve(expression));
    return modules.get(module)?.types[name] !== undefined;
  }
});

function splitRef(ref: string): [module: string, name: string] {
  const dot = ref.lastIndexOf(".");
  return [ref.slice(0, dot), ref.slice(dot + 1)];
}

// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { readFileSync } from "node:fs";
import type { KindHooks } from "../runtime/contract/kind-hooks.ts";
import type { ApiCatalogue, GroupVersionKind, Lifecycle } from "../runtime/contract/resource-descriptor.ts";
import type { TypeModule, TypeRef, TypeSource } from "../runtime/contract/type-table.ts";
import type { ConversionDeclaration } from "../api-definitions/conversion-vocabulary.ts";

/** A kind a configuration file may hold. */
export interface ConfigKind extends GroupVersionKind {
  readonly type: TypeRef;
  readonly lifecycle: Lifecycle;
}

/** How a version of a kind becomes the stored one. Identical shapes differ in apiVersion only. */
export interface ConversionEntry {
  readonly from: TypeRef;
  readonly hub: TypeRef;
  readonly how: "identical" | "declared" | "missing";
  readonly rename?: { readonly [from: string]: string };
  readonly toHub?: true;
  readonly fromHub?: true;
}

const files: { readonly [module: string]: string } = {
  "admission/v1": "./types/admission.v1.json",
  "admission/v1beta1": "./types/admission.v1beta1.json",
  "admissionregistration/v1": "./types/admissionregistration.v1.json",
  "admissionregistration/v1alpha1": "./types/admissionregistration.v1alpha1.json",
  "admissionregistration/v1beta1": "./types/admissionregistration.v1beta1.json",
  "apidiscovery/v2": "./types/apidiscovery.v2.json",
  "apidiscovery/v2beta1": "./types/apidiscovery.v2beta1.json",
  "apiextensions/v1": "./types/apiextensions.v1.json",
  "apiextensions/v1beta1": "./types/apiextensions.v1beta1.json",
  "apiregistration/v1": "./types/apiregistration.v1.json",
  "apiregistration/v1beta1": "./types/apiregistration.v1beta1.json",
  "apiserver/v1": "./types/apiserver.v1.json",
  "apiserver/v1alpha1": "./types/apiserver.v1alpha1.json",
  "apiserver/v1beta1": "./types/apiserver.v1beta1.json",
  "apiserverinternal/v1alpha1": "./types/apiserverinternal.v1alpha1.json",
  "apps/v1": "./types/apps.v1.json",
  "apps/v1beta1": "./types/apps.v1beta1.json",
  "apps/v1beta2": "./types/apps.v1beta2.json",
  "audit/v1": "./types/audit.v1.json",
  "authentication/v1": "./types/authentication.v1.json",
  "authentication/v1alpha1": "./types/authentication.v1alpha1.json",
  "authentication/v1beta1": "./types/authentication.v1beta1.json",
  "authorization/v1": "./types/authorization.v1.json",
  "authorization/v1beta1": "./types/authorization.v1beta1.json",
  "autoscaling/v1": "./types/autoscaling.v1.json",
  "autoscaling/v2": "./types/autoscaling.v2.json",
  "autoscaling/v2beta1": "./types/autoscaling.v2beta1.json",
  "autoscaling/v2beta2": "./types/autoscaling.v2beta2.json",
  "batch/v1": "./types/batch.v1.json",
  "batch/v1beta1": "./types/batch.v1beta1.json",
  "certificates/v1": "./types/certificates.v1.json",
  "certificates/v1alpha1": "./types/certificates.v1alpha1.json",
  "certificates/v1beta1": "./types/certificates.v1beta1.json",
  "coordination/v1": "./types/coordination.v1.json",
  "coordination/v1alpha2": "./types/coordination.v1alpha2.json",
  "coordination/v1beta1": "./types/coordination.v1beta1.json",
  "core/v1": "./types/core.v1.json",
  "discovery/v1": "./types/discovery.v1.json",
  "discovery/v1beta1": "./types/discovery.v1beta1.json",
  "events/v1": "./types/events.v1.json",
  "events/v1beta1": "./types/events.v1beta1.json",
  "extensions/v1beta1": "./types/extensions.v1beta1.json",
  "flowcontrol/v1": "./types/flowcontrol.v1.json",
  "flowcontrol/v1beta1": "./types/flowcontrol.v1beta1.json",
  "flowcontrol/v1beta2": "./types/flowcontrol.v1beta2.json",
  "flowcontrol/v1beta3": "./types/flowcontrol.v1beta3.json",
  "imagepolicy/v1alpha1": "./types/imagepolicy.v1alpha1.json",
  "kubeconfig/v1": "./types/kubeconfig.v1.json",
  "meta/v1": "./types/meta.v1.json",
  "meta/v1beta1": "./types/meta.v1beta1.json",
  "networking/v1": "./types/networking.v1.json",
  "networking/v1alpha1": "./types/networking.v1alpha1.json",
  "networking/v1beta1": "./types/networking.v1beta1.json",
  "node/v1": "./types/node.v1.json",
  "node/v1alpha1": "./types/node.v1alpha1.json",
  "node/v1beta1": "./types/node.v1beta1.json",
  "policy/v1": "./types/policy.v1.json",
  "policy/v1beta1": "./types/policy.v1beta1.json",
  "rbac/v1": "./types/rbac.v1.json",
  "rbac/v1alpha1": "./types/rbac.v1alpha1.json",
  "rbac/v1beta1": "./types/rbac.v1beta1.json",
  "resource/v1alpha3": "./types/resource.v1alpha3.json",
  "resource/v1beta1": "./types/resource.v1beta1.json",
  "resource/v1beta2": "./types/resource.v1beta2.json",
  "scheduling/v1": "./types/scheduling.v1.json",
  "scheduling/v1alpha1": "./types/scheduling.v1alpha1.json",
  "scheduling/v1beta1": "./types/scheduling.v1beta1.json",
  "storage/v1": "./types/storage.v1.json",
  "storage/v1alpha1": "./types/storage.v1alpha1.json",
  "storage/v1beta1": "./types/storage.v1beta1.json",
  "storagemigration/v1alpha1": "./types/storagemigration.v1alpha1.json",
};

/** Names of all type modules. */
export const moduleNames: readonly string[] = Object.keys(files);

/** Reads type modules when they are first asked for. Throws a RangeError for one that does not exist. */
export function createTypeSource(): TypeSource {
  const loaded = new Map<string, TypeModule>();
  return {
    module(name) {
      let module = loaded.get(name);
      if (module === undefined) {
        const file = files[name];
        if (file === undefined) throw new RangeError(`no type module named ${name}`);
        module = readJson<TypeModule>(file);
        loaded.set(name, module);
      }
      return module;
    },
  };
}

export function readCatalogue(): ApiCatalogue {
  return readJson("./resources.json");
}

export function readConfigKinds(): readonly ConfigKind[] {
  return readJson("./config-kinds.json");
}

export function readConversions(): readonly ConversionEntry[] {
  return readJson("./conversions.json");
}

/** Steps of every feature gate, as `runtime/release` reads them. */
export function readFeatureGates<Gate>(): readonly Gate[] {
  return readJson("./feature-gates.json");
}

/** The OpenAPI document of a path below /openapi (`v2`, `v3/apis/apps/v1`), as text; undefined where there is none. */
export function readOpenApi(path: string): string | undefined {
  try {
    return readFileSync(new URL(`./openapi/${path}.json`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as T;
}

/** What cannot be declared about a kind, loaded when the kind is first used. */
export const hooks = {
} satisfies { readonly [type: TypeRef]: () => Promise<KindHooks<never>> };

/** Conversions with functions, by the type they convert to its stored version. */
export const conversions = {
} satisfies { readonly [type: TypeRef]: () => Promise<ConversionDeclaration<never, never>> };

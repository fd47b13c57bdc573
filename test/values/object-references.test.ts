import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import type { TypeExpr, TypeRef } from "../../runtime/contract/type-table.ts";
import {
  POD_REFERENCES,
  podReferences,
  VOLUME_REFERENCES,
  volumeReferences,
} from "../../runtime/values/object-references.ts";

const types = registry.createTypeSource();

/** Types and field names that refer to another object. */
const REFERENCE_TYPE = /\.(\w*(Secret|ConfigMap|ServiceAccount|TrustBundle|Claim)\w*|\w*Reference)$/;
const REFERENCE_FIELD = /(secret|configMap|serviceAccount|claim|trustBundle|credential)\w*?(ref|name)?s?$|ref$/i;

interface Found {
  readonly path: string;
  readonly type: string;
}

/** Returns every field below a type that looks like a reference. */
function referenceFields(root: TypeRef): Found[] {
  const found: Found[] = [];
  const walk = (type: TypeExpr, path: string, field: string, seen: readonly string[]): void => {
    if (typeof type === "object") return walk("list" in type ? type.list : type.map, path, field, seen);
    if (REFERENCE_TYPE.test(type) || REFERENCE_FIELD.test(field)) found.push({ path, type });
    if (!type.includes(".") || seen.includes(type)) return;
    const dot = type.lastIndexOf(".");
    const definition = types.module(type.slice(0, dot)).types[type.slice(dot + 1)];
    if (definition === undefined || "is" in definition) return;
    for (const { name, type: inner } of definition.fields)
      walk(inner, name === "" ? path : `${path}.${name}`.replace(/^\./, ""), name, [...seen, type]);
  };
  walk(root, "", "", []);
  return found;
}

const isKnown = (table: Readonly<Record<string, string>>) => {
  const paths = Object.keys(table);
  return ({ path }: Found) =>
    path === "" ||
    paths.some((known) => known === path || path.startsWith(`${known}.`) || known.startsWith(`${path}.`));
};

describe("the references of a pod", () => {
  /** Fields that look like references to objects that a kubelet would read, but are not. */
  const others = [
    /^automountServiceAccountToken$/,
    // Fields and resources of the pod itself.
    /\.(fieldRef|resourceFieldRef)$/,
    // The pod's own claims, by the names that it gives them.
    /^((c|initC|ephemeralC)ontainers\.)?resources\.claims/,
    /^resourceClaims\.name$/,
    // A claim that is made for the pod: the node authorizer works out its name from those of the pod and of the volume.
    /^volumes\.ephemeral\.volumeClaimTemplate/,
    // Paths of files, and names in systems that are not this one.
    /^volumes\.cephfs\.secretFile$/,
    /windowsOptions\.gmsaCredentialSpec(Name)?$/,
  ];

  it("are all known by their fields, for every field of its types that looks like a reference", () => {
    const unknown = referenceFields("core/v1.PodSpec")
      .filter((found) => !isKnown(POD_REFERENCES)(found))
      .filter(({ path }) => !others.some((pattern) => pattern.test(path)));
    expect(unknown).toEqual([]);
  });

  it("are fields that exist", () => {
    const paths = new Set(referenceFields("core/v1.PodSpec").map(({ path }) => path));
    const made = Object.keys(POD_REFERENCES).filter(
      (path) => !paths.has(path) && ![...paths].some((other) => other.startsWith(`${path}.`)),
    );
    expect(made).toEqual([]);
  });

  it("are found in lists, in volumes and in every kind of container", () => {
    const container = {
      env: [{ name: "A", valueFrom: { secretKeyRef: { name: "env", key: "k" } } }],
      envFrom: [{ configMapRef: { name: "all" } }],
    };
    const spec = {
      serviceAccountName: "robot",
      imagePullSecrets: [{ name: "pull" }, {}],
      initContainers: [container],
      containers: [{ name: "main" }],
      ephemeralContainers: [container],
      volumes: [
        { name: "a", csi: { driver: "d", nodePublishSecretRef: { name: "csi" } } },
        { name: "b", azureFile: { secretName: "azure", shareName: "s" } },
        { name: "c", projected: { sources: [{ serviceAccountToken: { path: "token" } }, { secret: { name: "p" } }] } },
        { name: "d", emptyDir: {} },
        { name: "e", persistentVolumeClaim: { claimName: "claim" } },
      ],
      resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "template" }],
    };
    expect(podReferences(spec).map(({ resource, name }) => `${resource} ${name}`)).toEqual([
      "serviceaccounts robot",
      "secrets pull",
      "secrets ",
      "secrets env",
      "configmaps all",
      "secrets env",
      "configmaps all",
      "secrets csi",
      "secrets azure",
      "serviceaccounts/token ",
      "secrets p",
      "persistentvolumeclaims claim",
      "resourceclaimtemplates template",
    ]);
    expect(podReferences(undefined)).toEqual([]);
  });
});

describe("the references of a persistent volume", () => {
  const others = [
    // The claim that it is bound to is the way to it, not from it.
    /^claimRef/,
    // Only controllers read these.
    /^csi\.controller(Publish|Expand)SecretRef/,
    /^cephfs\.secretFile$/,
    /^persistentVolumeReclaimPolicy$/,
  ];

  it("are all known by their fields, for every field of its types that looks like a reference", () => {
    const unknown = referenceFields("core/v1.PersistentVolumeSpec")
      .filter((found) => !isKnown(VOLUME_REFERENCES)(found))
      .filter(({ path }) => !others.some((pattern) => pattern.test(path)));
    expect(unknown).toEqual([]);
  });

  it("have the namespace that the field gives", () => {
    const azureFile = { secretName: "s", secretNamespace: "n", shareName: "x" };
    expect(volumeReferences({ azureFile })).toEqual([{ resource: "secrets", name: "s", namespace: "n" }]);
    expect(volumeReferences({ cephfs: { secretRef: { name: "s" } } })).toEqual([{ resource: "secrets", name: "s" }]);
  });
});

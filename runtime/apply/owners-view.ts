import type { MergeType } from "../contract/merge-schema.ts";
import {
  getObject,
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "../lib/json-object.ts";
import type { FieldSet, FieldSetNode } from "./fieldpath/field-set.ts";
import { fieldElement, indexElement, type PathElement, printElement } from "./fieldpath/path-element.ts";
import { decodeManaged } from "./managed-fields/managed.ts";
import { identityOfKey, type Operation } from "./managed-fields/manager-identity.ts";
import { findItemElement } from "./typed/list-items.ts";
import { shapeOf, typeOfKeyOrDeduced } from "./typed/shape.ts";

/** A leaf of an object and its owners. */
export interface OwnedField {
  /** Path of the leaf, such as `.spec.containers[name="main"].image`. */
  readonly path: string;
  readonly value: JsonValue;
  /** Empty, one manager, or several managers that set the same value. */
  readonly owners: readonly FieldOwner[];
}

export interface FieldOwner {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
  /** Time of the owner's last change. Empty if it never changed a value. */
  readonly time: string;
}

/**
 * Returns the owners of an object's fields, in the order of the object: one row per leaf, owned or not. A manager that owns a list entry or map
 * as such also owns it if it is empty. `schema` is that of the object's version; managers that used another version are shown as far as their
 * paths have the same meaning. Throws ManagedFieldsError.
 */
export function ownersView(object: JsonObject, schema: MergeType): OwnedField[] {
  const managed = decodeManaged(getOwn(getObject(object, "metadata"), "managedFields"));
  const owners = [...managed.fields].map(([key, fields]): Claim => {
    const { manager, operation, subresource } = identityOfKey(key);
    const time = managed.times.get(key) ?? "";
    const node: FieldSetNode = { member: false, children: fields.set };
    return { owner: { manager, operation, apiVersion: fields.apiVersion, subresource, time }, node };
  });
  owners.sort((a, b) => (a.owner.manager < b.owner.manager ? -1 : a.owner.manager > b.owner.manager ? 1 : 0));
  const rows: OwnedField[] = [];
  collect(schema, withoutSystemData(object), "", owners, rows);
  return rows;
}

/** The fields that an owner owns at and below the current path. */
interface Claim {
  readonly owner: FieldOwner;
  readonly node: FieldSetNode;
}

function collect(type: MergeType, value: JsonValue, path: string, claims: readonly Claim[], rows: OwnedField[]): void {
  const shape = shapeOf(type, value);
  const atomic = shape.kind === "scalar" || shape.topology === "atomic";
  if (!atomic && shape.kind === "map" && isJsonObject(value) && Object.keys(value).length > 0) {
    for (const key of Object.keys(value)) {
      const element = fieldElement(key);
      const childType = typeOfKeyOrDeduced(shape, key);
      collect(childType, value[key] as JsonValue, path + printElement(element), below(claims, element), rows);
    }
  } else if (!atomic && shape.kind === "list" && isJsonArray(value) && value.length > 0) {
    (value as JsonArray).forEach((item, index) => {
      const element = findItemElement(shape, item) ?? indexElement(index);
      collect(shape.element, item, path + printElement(element), below(claims, element), rows);
    });
  } else if (path !== "") {
    rows.push({ path, value, owners: claims.filter((claim) => claim.node.member).map((claim) => claim.owner) });
  }
}

function below(claims: readonly Claim[], element: PathElement): Claim[] {
  const found: Claim[] = [];
  for (const { owner, node } of claims) {
    const child = (node.children as FieldSet | undefined)?.nodes.get(element);
    if (child !== undefined) found.push({ owner, node: child });
  }
  return found;
}

const SERVER_METADATA = new Set([
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "selfLink",
  "managedFields",
]);

/** Removes the fields that no manager can own. */
function withoutSystemData(object: JsonObject): JsonObject {
  const { apiVersion: _version, kind: _kind, ...rest } = object;
  const metadata = getObject(object, "metadata");
  if (metadata === undefined) return rest;
  const own = Object.fromEntries(Object.entries(metadata).filter(([key]) => !SERVER_METADATA.has(key)));
  const { metadata: _metadata, ...content } = rest;
  return Object.keys(own).length === 0 ? content : { metadata: own, ...content };
}

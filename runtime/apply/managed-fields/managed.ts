import { goQuote } from "../../go/quote.ts";
import { compareUtf8 } from "../../lib/compare-utf8.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  getObject,
  getOwn,
  getString,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
} from "../../lib/json-object.ts";
import { isTime } from "../../values/times.ts";
import { FieldSet } from "../fieldpath/field-set.ts";
import { fieldsV1ToSet, isPrintedForm, prepareSetSteps, setToFieldsV1 } from "../fieldpath/fields-v1.ts";
import { PathElementError } from "../fieldpath/path-element.ts";
import type { ManagerFields, Managers } from "../merge/managers.ts";
import { identityKey, identityOfKey, type Operation } from "./manager-identity.ts";

/** The content of `metadata.managedFields`: managers by identity key, and the time of each manager's last change. */
export interface Managed {
  readonly fields: Managers;
  readonly times: ReadonlyMap<string, string>;
  /** The entries as they were read. Unchanged entries are written back as they are. */
  readonly read: ReadonlyMap<string, ReadEntry>;
}

interface ReadEntry {
  readonly fields: ManagerFields;
  readonly entry: JsonObject;
}

export const NOTHING_MANAGED: Managed = { fields: new Map(), times: new Map(), read: new Map() };

/** Thrown for invalid `metadata.managedFields`. */
export class ManagedFieldsError extends Error {
  readonly code = "BadManagedFields";
}

const TEXTS = ["manager", "operation", "apiVersion", "fieldsType", "subresource", "time"];

/** Whether all entries can be decoded, regardless of their content. Go ignores the whole list if one cannot. */
export function areReadableEntries(entries: JsonValue | undefined): boolean {
  if (!isJsonArray(entries)) return false;
  return entries.every((entry) => {
    if (!isJsonObject(entry)) return false;
    return TEXTS.every((name) => {
      const value = getOwn(entry, name) ?? undefined;
      return value === undefined || (typeof value === "string" && (name !== "time" || isTime(value)));
    });
  });
}

/** Decodes managedFields. Throws ManagedFieldsError. Entries of large objects are not looked up in the cache of field sets. */
export function decodeManaged(entries: JsonValue | undefined, isLarge = false): Managed {
  if (!isJsonArray(entries) || entries.length === 0) return NOTHING_MANAGED;
  const fields = new Map<string, ManagerFields>();
  const times = new Map<string, string>();
  const read = new Map<string, ReadEntry>();
  entries.forEach((value, index) => {
    const entry = isJsonObject(value) ? value : {};
    const operation = getString(entry, "operation");
    const apiVersion = getString(entry, "apiVersion");
    checkEntry(entry, operation, apiVersion, index);
    const key = identityKey(
      getString(entry, "manager"),
      operation as Operation,
      apiVersion,
      getString(entry, "subresource"),
    );
    const owned = { set: setOf(entry, isLarge), apiVersion, applied: operation === "Apply" };
    const time = getString(entry, "time");
    fields.set(key, owned);
    read.set(key, { fields: owned, entry });
    if (time === "") times.delete(key);
    else times.set(key, time);
  });
  return { fields, times, read };
}

/**
 * Returns `managed` without the read form of entries whose fields a client wrote differently, for example with keys in another order, so that
 * they are printed again. Entries of the live object need not be compared.
 */
export function inPrintedForm(managed: Managed, live: JsonValue | undefined): Managed {
  const stored = new Set(
    isJsonArray(live) ? live.map((entry) => isJsonObject(entry) && getOwn(entry, "fieldsV1")) : [],
  );
  const read = new Map(managed.read);
  for (const [key, { entry, fields }] of managed.read) {
    const written = getOwn(entry, "fieldsV1");
    if (!stored.has(written) && isJsonObject(written) && !isPrintedForm(written, fields.set)) read.delete(key);
  }
  return read.size === managed.read.size ? managed : { ...managed, read };
}

/**
 * Parses the fields of large entries, so that `decodeManaged` is fast for them; can be interrupted. Ignores fields that cannot be parsed:
 * `decodeManaged` reports them.
 */
export function* prepareManagedSteps(entries: JsonValue | undefined): Steps<void> {
  if (!isJsonArray(entries)) return;
  for (const entry of entries) {
    const fields = isJsonObject(entry) ? getObject(entry, "fieldsV1") : undefined;
    if (fields === undefined) continue;
    try {
      yield* prepareSetSteps(fields);
    } catch (error) {
      if (!(error instanceof PathElementError)) throw error;
    }
    yield;
  }
}

function checkEntry(entry: JsonObject, operation: string, apiVersion: string, index: number): void {
  if (operation !== "Apply" && operation !== "Update") {
    throw new ManagedFieldsError("operation must be `Apply` or `Update`");
  }
  if (apiVersion === "") throw new ManagedFieldsError("apiVersion must not be empty");
  const fieldsType = getString(entry, "fieldsType");
  if (fieldsType === "") throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1") {
    throw new ManagedFieldsError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
  }
}

function setOf(entry: JsonObject, isLarge: boolean): FieldSet {
  const fields = getOwn(entry, "fieldsV1");
  if (fields === undefined || fields === null) return FieldSet.EMPTY;
  try {
    if (!isJsonObject(fields)) throw new PathElementError("expected an object of fields");
    return fieldsV1ToSet(fields, isLarge);
  } catch (error) {
    if (!(error instanceof PathElementError)) throw error;
    throw new ManagedFieldsError(`error decoding versioned set: error decoding set: ${error.message}`);
  }
}

/** Encodes entries in the order of Kubernetes: by operation, time, manager, version and subresource. */
export function encodeManaged(managed: Managed): JsonArray {
  const entries: JsonObject[] = [];
  for (const [key, fields] of managed.fields) {
    const time = managed.times.get(key);
    const known = managed.read.get(key);
    const reusable = known !== undefined && known.fields === fields && getString(known.entry, "time") === (time ?? "");
    entries.push(reusable ? known.entry : encodeEntry(key, fields, time));
  }
  return entries.length === 1 ? entries : entries.sort(compareEntries);
}

function compareEntries(a: JsonObject, b: JsonObject): number {
  return (
    compareUtf8(getString(a, "operation"), getString(b, "operation")) ||
    secondsOf(getString(a, "time")) - secondsOf(getString(b, "time")) ||
    compareUtf8(getString(a, "manager"), getString(b, "manager")) ||
    compareUtf8(getString(a, "apiVersion"), getString(b, "apiVersion")) ||
    compareUtf8(getString(a, "subresource"), getString(b, "subresource"))
  );
}

function encodeEntry(key: string, fields: ManagerFields, time: string | undefined): JsonObject {
  const identity = identityOfKey(key);
  const entry: JsonObjectDraft = {};
  if (identity.manager !== "") entry.manager = identity.manager;
  entry.operation = fields.applied ? "Apply" : identity.operation;
  entry.apiVersion = fields.apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = setToFieldsV1(fields.set);
  if (identity.subresource !== "") entry.subresource = identity.subresource;
  return entry;
}

/** Returns whole seconds since the epoch, or 0 without a valid time. */
export function secondsOf(time: string | undefined): number {
  const milliseconds = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}
